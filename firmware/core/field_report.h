/* The fields that a host has asked for: the mean of the next scans, and where each sensor rests. Knows no frames. */
#ifndef FIELD_REPORT_H
#define FIELD_REPORT_H
#include "field.h"

#if LINEAR
#define REPORT_SCANS 16 /* of which the mean is told */

/* What is told of a sensor, in hundredths of a millitesla; above 0 a north pole faces down. */
struct field_told {
    int16_t field, rest; /* from where it rests; where that is, from the middle of its range */
};

struct field_report {
    uint32_t totals[FIELD_CELLS]; /* of the scans so far */
    struct field_told told[FIELD_CELLS];
    uint32_t told_ms;   /* when the last part was told */
    uint8_t scans_left; /* until the mean is whole */
    uint8_t cells_left; /* that wait to be told, the last ones */
    bool asked;         /* and nothing was begun for it yet */
};

/* Somebody wants to know the fields. What is being told already was read before and does not count for it. */
void field_report_ask(struct field_report *report);

/* Takes a scan as `field_scan` does, after that. */
void field_report_scan(struct field_report *report, const struct field *field, const uint16_t *sums);

/* The next part that is to be told now: from bit `*first` on so many sensors, FIELDS_AT_ONCE at most; 0 where none is. */
uint8_t field_report_next(struct field_report *report, uint32_t now_ms, uint8_t *first);

#endif
#endif
