/* The hall sensors behind three 74HC4067: sixteen times a scan all three are set to the next input and read by the ADC. */
#ifndef MUXES_H
#define MUXES_H
#include <stdint.h>

#define MUXES 3
#define MUX_INPUTS 16

struct mux_scan {
    uint16_t sums[MUXES * MUX_INPUTS]; /* of FIELD_READINGS counts, by bit of the chain */
    uint16_t supply;                   /* half of what the CC pin has, a count */
    uint32_t ms;
    uint16_t late_us; /* its first slot after the millisecond */
};

/* Begins to scan, each millisecond. */
void muxes_start(void);

/* The newest whole scan, which stays as it is until it is released; null while the next one runs. */
const struct mux_scan *muxes_scan(void);
void muxes_release(void);

/* Scans that were lost as the one before was not released in time, since the start. */
uint16_t muxes_missed(void);

/* The time: microseconds since the beginning of the running millisecond, and its number. */
void muxes_clock(uint32_t *ms, uint16_t *past_us);

#endif
