/* What the supply offers, by the CC pin of a USB-C socket: whether 1.5 A or more. Knows no ADC. */
#ifndef SUPPLY_H
#define SUPPLY_H
#include <stdbool.h>
#include <stdint.h>

#include "board_table.h"

#if SUPPLY_TOLD
/* A port that takes back what it offered leaves 60 ms to draw less (USB Type-C, tSinkAdj); one that has just been plugged
 * in may still be making up its mind. */
#define SUPPLY_STRONG_MS 250
#define SUPPLY_WEAK_MS 10
#define SUPPLY_SCANS(ms) (((ms) + SCAN_MS - 1) / SCAN_MS)

struct supply {
    bool strong;
    uint8_t scans; /* in a row that said the contrary */
};

/* Takes the count of a scan; whether `strong` has changed by it. */
bool supply_scan(struct supply *supply, uint16_t count);

#endif
#endif
