#include "debounce.h"

#include <string.h>

void debounce_set(struct debounce *d, uint8_t press, uint8_t release)
{
    d->press = press;
    d->release = release;
    memset(d->plane, 0, sizeof d->plane);
}

uint8_t debounce_byte(struct debounce *d, uint8_t at, uint8_t raw)
{
    uint8_t differs = raw ^ d->level[at];
    if (!differs) { /* nearly always */
        for (uint8_t p = 0; p < PLANES; p++)
            d->plane[p][at] = 0;
        return 0;
    }
    uint8_t carry = differs, pressed = 0xFF, released = 0xFF;
    for (uint8_t p = 0; p < PLANES; p++) {
        uint8_t count = d->plane[p][at] & differs; /* one scan that agrees begins the count anew */
        uint8_t sum = count ^ carry;
        carry &= count;
        d->plane[p][at] = sum;
        pressed &= (d->press >> p & 1) ? sum : (uint8_t)~sum;
        released &= (d->release >> p & 1) ? sum : (uint8_t)~sum;
    }
    uint8_t changed = differs & ((raw & pressed) | ((uint8_t)~raw & released));
    for (uint8_t p = 0; p < PLANES; p++)
        d->plane[p][at] &= (uint8_t)~changed;
    d->level[at] ^= changed;
    return changed;
}

uint8_t debounce_doubted(const struct debounce *d, uint8_t at)
{
    uint8_t doubted = 0;
    for (uint8_t p = 0; p < PLANES; p++)
        doubted |= d->plane[p][at];
    return doubted;
}
