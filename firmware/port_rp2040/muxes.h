/* The hall sensors behind three 74HC4067: sixteen times a millisecond all three are set to the next input and read by the
 * ADC. Where there are more groups of three, a scan has each in turn, and the others are switched off meanwhile. */
#ifndef MUXES_H
#define MUXES_H
#include <stdint.h>

#include "board_table.h"

#define MUXES 3 /* of a group */
#define MUX_INPUTS 16
#define GROUP_INPUTS (MUXES * MUX_INPUTS)

struct mux_scan {
    uint16_t sums[MUX_GROUPS * GROUP_INPUTS]; /* of FIELD_READINGS counts, by bit of the chain */
    uint16_t supply;                   /* half of what the CC pin has, a count */
    uint32_t ms;
    uint16_t late_us; /* its first slot after the millisecond */
};

/* Begins to scan: a group of muxes each millisecond. */
void muxes_start(void);

/* The newest whole scan, which stays as it is until it is released; null while the next one runs. */
const struct mux_scan *muxes_scan(void);
void muxes_release(void);

/* Scans that were lost as the one before was not released in time, since the start. */
uint16_t muxes_missed(void);

/* The time: microseconds since the beginning of the running millisecond, and its number. */
void muxes_clock(uint32_t *ms, uint16_t *past_us);

#endif
