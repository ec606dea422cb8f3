/* The core's fields on this computer. From standard input: how many scans read alike, then a number for each cell, and so
 * on. Where that is 0 scans, the numbers are where a host says that the cells rest, in hundredths of a millitesla. To
 * standard output, after each: the levels in hex, as they lie in a snapshot. */
#include <stdio.h>

#include "field_rests.h"
#include "messages.h"

static bool read_cells(int *cells)
{
    for (unsigned cell = 0; cell < FIELD_CELLS; cell++)
        if (scanf("%d", &cells[cell]) != 1)
            return false;
    return true;
}

static bool tell(struct field_rests *rests, const int *cells)
{
    uint8_t wire[FIELD_CELLS * REST_BYTES];
    for (unsigned cell = 0; cell < FIELD_CELLS; cell++) {
        wire[2 * cell] = (uint8_t)(cells[cell] & 0xFF);
        wire[2 * cell + 1] = (uint8_t)(cells[cell] >> 8 & 0xFF);
    }
    return field_rests_take(rests, 0, wire, FIELD_CELLS);
}

int main(void)
{
    static struct field field;
    static struct field_rests rests;
    static uint16_t sums[FIELD_CELLS];
    static int cells[FIELD_CELLS];
    field_start(&field);
    unsigned scans;
    while (scanf("%u", &scans) == 1) {
        if (!read_cells(cells) || (!scans && !tell(&rests, cells)))
            return 1;
        field_rests_pass(&rests, &field);
        for (unsigned cell = 0; cell < FIELD_CELLS; cell++)
            sums[cell] = (uint16_t)cells[cell];
        for (; scans; scans--)
            field_scan(&field, sums);
        for (unsigned at = 0; at < CHAIN_BYTES; at++)
            printf("%02x", field.level[at]);
        printf("\n");
    }
    return 0;
}
