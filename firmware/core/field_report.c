#include "field_report.h"

#include <string.h>

#include "messages.h"

#if LINEAR
#define PAUSE_MS 4 /* between two parts, so that most of the line is left to what hurries */

_Static_assert(sizeof(struct field_told) == FIELD_TOLD_BYTES, "what is told is the wire");

static const uint8_t used[CHAIN_BYTES] = CHAIN_USED;

void field_report_ask(struct field_report *r)
{
    r->asked = true;
}

/* `steps` are sums of FIELD_READINGS counts, added up over so many scans. A south pole raises what the sensor reads. */
static int16_t hundredths(int32_t steps, int32_t scans)
{
    return (int16_t)(-steps * FIELD_TOLD_NUMERATOR / (FIELD_TOLD_DENOMINATOR * scans));
}

static void finish(struct field_report *r, const struct field *field)
{
    for (uint16_t cell = 0; cell < FIELD_CELLS; cell++) {
        if (!(used[cell / 8] >> cell % 8 & 1))
            continue; /* it stays 0 */
        int32_t off = (int32_t)r->totals[cell] - REPORT_SCANS * (int32_t)field->rest[cell];
        r->told[cell].field = hundredths(off, REPORT_SCANS);
        r->told[cell].rest = hundredths((int32_t)field->rest[cell] - FIELD_MIDDLE, 1);
    }
    r->cells_left = FIELD_CELLS;
}

void field_report_scan(struct field_report *r, const struct field *field, const uint16_t *sums)
{
    if (r->asked && !r->scans_left && !r->cells_left) {
        r->asked = false;
        r->scans_left = REPORT_SCANS;
        memset(r->totals, 0, sizeof r->totals);
    }
    if (!r->scans_left)
        return;
    for (uint16_t cell = 0; cell < FIELD_CELLS; cell++)
        r->totals[cell] += sums[cell];
    if (--r->scans_left == 0)
        finish(r, field);
}

uint8_t field_report_next(struct field_report *r, uint32_t now_ms, uint8_t *first)
{
    if (!r->cells_left || now_ms - r->told_ms < PAUSE_MS)
        return 0;
    uint8_t count = r->cells_left < FIELDS_AT_ONCE ? r->cells_left : FIELDS_AT_ONCE;
    *first = (uint8_t)(FIELD_CELLS - r->cells_left);
    r->cells_left -= count;
    r->told_ms = now_ms;
    return count;
}
#endif
