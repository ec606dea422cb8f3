#include "field_rests.h"

#include "messages.h"

#if LINEAR

static int16_t hundredths(const uint8_t *wire)
{
    return (int16_t)(wire[0] | wire[1] << 8);
}

/* A south pole raises what the sensor reads. */
static uint16_t sum_of(int16_t hundredths)
{
    int32_t half = hundredths < 0 ? FIELD_TOLD_NUMERATOR / 2 : -FIELD_TOLD_NUMERATOR / 2;
    return (uint16_t)(FIELD_MIDDLE + (half - hundredths * FIELD_TOLD_DENOMINATOR) / FIELD_TOLD_NUMERATOR);
}

bool field_rests_take(struct field_rests *r, uint8_t first, const uint8_t *wire, uint8_t count)
{
    if (first + count > FIELD_CELLS)
        return false;
    for (uint8_t at = 0; at < count; at++) {
        int16_t rest = hundredths(wire + at * REST_BYTES);
        if (rest != REST_UNKNOWN && (rest > FIELD_REST_MOST || rest < -FIELD_REST_MOST))
            return false;
    }
    for (uint8_t at = 0; at < count; at++) {
        int16_t rest = hundredths(wire + at * REST_BYTES);
        if (rest != REST_UNKNOWN)
            r->told[first + at] = sum_of(rest);
    }
    r->due = true;
    return true;
}

void field_rests_pass(struct field_rests *r, struct field *field)
{
    if (!r->due)
        return;
    r->due = false;
    field_begin_at(field, r->told);
}
#endif
