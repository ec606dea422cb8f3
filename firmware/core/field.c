#include "field.h"

#include <string.h>

static const uint8_t used[CHAIN_BYTES] = CHAIN_USED;

void field_start(struct field *f)
{
    memset(f, 0, sizeof *f);
    for (uint16_t cell = 0; cell < FIELD_CELLS; cell++)
        f->rest[cell] = FIELD_MIDDLE;
}

/* A sensor that is quiet near the middle has no magnet, so the mean of some readings is where it rests. */
static void learn(struct field *f, uint16_t cell, uint16_t sum, bool quiet)
{
    if (!quiet) {
        f->quiet[cell] = f->count[cell] = 0;
        return;
    }
    f->quiet[cell] += sum;
    if (++f->count[cell] == FIELD_LEARNED)
        f->rest[cell] = (uint16_t)((f->quiet[cell] + FIELD_LEARNED / 2) / FIELD_LEARNED);
}

static bool take(struct field *f, uint16_t cell, uint16_t sum, bool on, bool follow)
{
    int32_t off = (int32_t)sum - f->rest[cell];
    uint16_t strength = (uint16_t)(off < 0 ? -off : off);
    on = strength >= (on ? FIELD_RELEASE : FIELD_THRESHOLD);
    bool quiet = strength < FIELD_RELEASE;
    if (f->count[cell] < FIELD_LEARNED)
        learn(f, cell, sum, quiet);
    else if (follow && quiet && off) /* by one step, so that no single reading weighs more than another */
        f->rest[cell] = (uint16_t)(f->rest[cell] + (off > 0 ? 1 : -1));
    return on;
}

void field_scan(struct field *f, const uint16_t *sums)
{
    bool follow = ++f->scans == FIELD_FOLLOW_SCANS;
    if (follow)
        f->scans = 0;
    for (uint8_t at = 0; at < CHAIN_BYTES; at++) {
        uint8_t bits = 0;
        for (uint8_t bit = 0; bit < 8; bit++) {
            uint16_t cell = (uint16_t)(at * 8U + bit);
            if (used[at] >> bit & 1 && take(f, cell, sums[cell], f->level[at] >> bit & 1, follow))
                bits |= (uint8_t)(1U << bit);
        }
        f->level[at] = bits;
    }
}
