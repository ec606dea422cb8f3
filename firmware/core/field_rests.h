/* Where linear hall sensors rest, as a host has kept it from when the board was empty. Knows no frames. */
#ifndef FIELD_RESTS_H
#define FIELD_RESTS_H
#include "field.h"

#if LINEAR
struct field_rests {
    uint16_t told[FIELD_CELLS]; /* as sums are; 0 where nothing was said */
    bool due;                   /* something new is among them */
};

/* Takes the rests of `count` sensors from bit `first` on, as they lie in a frame; false, and none, where one cannot be. */
bool field_rests_take(struct field_rests *rests, uint8_t first, const uint8_t *wire, uint8_t count);

/* Has `field` begin at what is new. Call it before each `field_scan`. */
void field_rests_pass(struct field_rests *rests, struct field *field);

#endif
#endif
