/* Debounces the whole chain at once: a counter a bit, stored upright in four planes. Knows no time and no numbers. */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H
#include <stdbool.h>
#include <stdint.h>

#include "board_table.h"

#define PLANES 4 /* counters run to 15 */

struct debounce {
    uint8_t level[CHAIN_BYTES];
    uint8_t plane[PLANES][CHAIN_BYTES]; /* how many scans in a row disagreed with `level` */
    uint8_t press, release;             /* how many must disagree */
};

/* Sets how many scans a bit must show a new level, 1 to 15, and begins to count anew. */
void debounce_set(struct debounce *d, uint8_t press, uint8_t release);

/* Takes a byte of the newest scan and returns which bits of `level` it changed. */
uint8_t debounce_byte(struct debounce *d, uint8_t at, uint8_t raw);

/* Returns which bits of a byte disagreed with `level` in the scan before. */
uint8_t debounce_doubted(const struct debounce *d, uint8_t at);

#endif
