#include "field.h"

#include <string.h>

#if LINEAR

static const uint8_t used[CHAIN_BYTES] = CHAIN_USED; /* both halves are alike */

void field_start(struct field *f)
{
    memset(f, 0, sizeof *f);
    for (uint16_t cell = 0; cell < FIELD_CELLS; cell++)
        f->rest[cell] = FIELD_MIDDLE;
}

void field_begin_at(struct field *f, const uint16_t *rests)
{
    for (uint16_t cell = 0; cell < FIELD_CELLS; cell++) {
        if (!rests[cell] || rests[cell] == f->begun[cell])
            continue;
        f->begun[cell] = f->rest[cell] = rests[cell];
        f->quiet[cell] = f->count[cell] = 0;
    }
}

/* A sensor that is quiet near its rest so far has no magnet, so the mean of some readings is where it rests. */
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

/* Returns which pole faces down: 1 north, -1 south, 0 for none. A south pole raises what the sensor reads. */
static int8_t take(struct field *f, uint16_t cell, uint16_t sum, int8_t before, bool follow)
{
    int32_t off = (int32_t)sum - f->rest[cell];
    int8_t pole = off > 0 ? -1 : 1;
    uint16_t strength = (uint16_t)(off < 0 ? -off : off);
    bool quiet = strength < FIELD_RELEASE;
    if (f->count[cell] < FIELD_LEARNED)
        learn(f, cell, sum, quiet);
    else if (follow && quiet && off) /* by one step, so that no single reading weighs more than another */
        f->rest[cell] = (uint16_t)(f->rest[cell] + (off > 0 ? 1 : -1));
    return strength >= (pole == before ? FIELD_RELEASE : FIELD_THRESHOLD) ? pole : 0;
}

void field_scan(struct field *f, const uint16_t *sums)
{
    bool follow = ++f->scans == FIELD_FOLLOW_SCANS;
    if (follow)
        f->scans = 0;
    for (uint8_t at = 0; at < FIELD_BYTES; at++) {
        uint8_t *norths = &f->level[at], *souths = &f->level[FIELD_BYTES + at], north = 0, south = 0;
        for (uint8_t bit = 0; bit < 8; bit++) {
            uint16_t cell = (uint16_t)(at * 8U + bit);
            if (!(used[at] >> bit & 1))
                continue;
            int8_t before = (int8_t)((*norths >> bit & 1) - (*souths >> bit & 1));
            int8_t pole = take(f, cell, sums[cell], before, follow);
            north |= (uint8_t)((pole > 0) << bit);
            south |= (uint8_t)((pole < 0) << bit);
        }
        *norths = north;
        *souths = south;
    }
}
#endif
