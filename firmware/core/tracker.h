/* Which two tiles the shell-cost tracker looks at, and what it read there. Knows no pins, no frames and no rules. */
#ifndef TRACKER_H
#define TRACKER_H
#include <stdbool.h>
#include <stdint.h>

#include "board_table.h"
#include "messages.h"

#define TRACKER_CHANNELS 3 /* of the ADC; axes that a board has not read 0 */

/* Registers of the chain, 0 the first that reaches the microcontroller; `a` goes to latch A, `b` to latch B. */
struct pair {
    uint8_t a, b;
};

struct tracker {
    struct msg_reading reading;
    struct pair watched;
    uint32_t due_ms;   /* when the watched pair is read again, or a round begins */
    uint16_t every_ms; /* 0: only once */
    uint8_t next;      /* adjacency of the running round; TRACKER_PAIRS between rounds */
    bool active, round;
    bool latched; /* `reading` waits for its levels */
    bool full;    /* `reading` waits to be sent */
};

/* Begins to read one pair. False where these are no two registers of the chain, or there is no tracker. */
bool tracker_watch(struct tracker *tracker, struct pair pair, uint16_t every_ms, uint32_t now_ms);

/* Begins to read all adjacencies of the board, one a scan. False where there is no tracker. */
bool tracker_watch_round(struct tracker *tracker, uint16_t every_ms, uint32_t now_ms);

/* Whether the next scan is to be latched for a pair, and which. */
bool tracker_wants(const struct tracker *tracker, uint32_t now_ms, struct pair *pair);

/* The scan of millisecond `ms` was latched for `pair`. */
void tracker_latched(struct tracker *tracker, struct pair pair, const uint8_t *raw, uint32_t ms);

/* What the ADC then read at the axes, TRACKER_CHANNELS counts. */
void tracker_measured(struct tracker *tracker, const uint16_t *counts);

#endif
