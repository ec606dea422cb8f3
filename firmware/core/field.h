/* From what linear hall sensors read to where a magnet is: a threshold, a lower release, and the reading without a magnet,
 * which each sensor has its own of and which wanders with the temperature. Knows no ADC. */
#ifndef FIELD_H
#define FIELD_H
#include <stdbool.h>
#include <stdint.h>

#include "board_table.h"
#include "field_table.h"

#if LINEAR
#define FIELD_BYTES (CHAIN_BYTES / 2)
#define FIELD_CELLS (FIELD_BYTES * 8)
#define FIELD_FOLLOW_SCANS (FIELD_FOLLOW_MS / SCAN_MS)

struct field {
    uint16_t rest[FIELD_CELLS];  /* what a sensor reads without a magnet, as sums are */
    uint32_t quiet[FIELD_CELLS]; /* the last readings in a row near the middle, added up, until `rest` is known */
    uint8_t count[FIELD_CELLS];  /* how many those are; FIELD_LEARNED from then on */
    uint16_t begun[FIELD_CELLS]; /* the rest that a host has told; 0 for none */
    uint8_t level[CHAIN_BYTES];  /* 1 for a magnet: first those whose north pole faces down, then those whose south pole does */
    uint16_t scans;              /* since all `rest` last followed */
};

/* Begins: each sensor is held to rest in the middle of its range until it has been quiet there for a while. */
void field_start(struct field *field);

/* A host tells where each sensor rests, 0 where it does not know: as from a start, but from there instead of the middle. A
 * rest that was told before changes nothing: it was learned or followed since. */
void field_begin_at(struct field *field, const uint16_t *rests);

/* Takes a scan: of each cell the sum of FIELD_READINGS counts of the ADC. `field->level` follows. */
void field_scan(struct field *field, const uint16_t *sums);

#endif
#endif
