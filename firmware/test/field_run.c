/* The core's fields on this computer. From standard input: how many scans read alike, then a number for each cell, and so
 * on. To standard output, after each: the levels in hex, as they lie in a snapshot. */
#include <stdio.h>

#include "field.h"

int main(void)
{
    static struct field field;
    static uint16_t sums[FIELD_CELLS];
    field_start(&field);
    unsigned scans;
    while (scanf("%u", &scans) == 1) {
        for (unsigned cell = 0; cell < FIELD_CELLS; cell++)
            if (scanf("%hu", &sums[cell]) != 1)
                return 1;
        while (scans--)
            field_scan(&field, sums);
        for (unsigned at = 0; at < CHAIN_BYTES; at++)
            printf("%02x", field.level[at]);
        printf("\n");
    }
    return 0;
}
