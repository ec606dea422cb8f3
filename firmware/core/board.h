/* The sensor board without its pins: scans and bytes in, frames out. Knows no registers; time is given to it. */
#ifndef BOARD_H
#define BOARD_H
#include "debounce.h"
#include "events.h"
#include "field_report.h"
#include "field_rests.h"
#include "link.h"
#include "supply.h"
#include "tracker.h"

#define DEBOUNCE_DEFAULT_MS 4

/* What a scan shows of the wires between registers. `past` is the byte that came after the last one, as it lay on the
 * wire: 0 where the chain ends on ground as it should. From register `closed_from` on every input reads closed, also those
 * without a sensor; CHAIN_BYTES where the last one has an open input. */
struct chain_end {
    uint8_t past, closed_from;
};

struct board {
    struct debounce debounce;
    struct events events;
    struct frame_reader reader;
    struct tracker tracker;
    uint32_t second_ms;   /* when the running second began */
    uint32_t waiting_ms;  /* since when no change was acknowledged that was sent */
    uint32_t lamp_end_ms; /* of identifying */
    uint16_t resend_ms;   /* how long to wait for an acknowledgement */
    uint16_t scans, scans_per_s;
    uint16_t earliest_us, latest_us, jitter_us; /* latch after its millisecond */
    uint16_t bad_frames;
    uint16_t bytes_lost, scans_missed; /* kept by the port */
    uint8_t press_ms, release_ms; /* for how long a level must be seen, as the host has said */
    uint8_t reset_cause;
    uint8_t seq;
    uint8_t session; /* of the newest watch */
    uint8_t due; /* frames that were asked for or fell due */
    bool scanned, watched;
    bool torn;         /* the chain does not end where it should, or a data wire in it lies on ground */
    bool grounded;     /* the latter, in the newest scan */
    uint8_t grounded_at; /* the first register behind that wire */
    uint8_t end_scans; /* in a row that said the contrary of `torn` */
#if LINEAR
    struct field_report fields; /* the port gives it scans */
    struct field_rests rests;   /* the port passes them on */
#endif
#if SUPPLY_TOLD
    struct supply supply;
#endif
#if PIXELS
    uint8_t pixels[PIXELS * PIXEL_BYTES];
    bool pixels_due; /* they are whole and were not shown yet */
#endif
};

/* Begins; `board` is overwritten. `reset_cause` is made of the RESET_ bits. */
void board_start(struct board *board, uint8_t reset_cause);

/* Takes a scan of CHAIN_BYTES bytes, 1 for a magnet, latched `late_us` after millisecond `ms`. */
void board_scan(struct board *board, const uint8_t *raw, struct chain_end end, uint32_t ms, uint16_t late_us);

/* A program has opened a line that had nobody at its end: it is told who speaks. */
void board_greet(struct board *board);

/* Takes a byte from the host. */
void board_receive(struct board *board, uint8_t byte, uint32_t now_ms);

/* Writes the next frame to `wire` (WIRE_MAX bytes); returns its length, 0 where nothing is to be sent.
 * Now is `past_us` after millisecond `now_ms`. */
uint8_t board_next(struct board *board, uint32_t now_ms, uint16_t past_us, uint8_t *wire);

#if SUPPLY_TOLD
/* Takes what the ADC read of the supply in a scan. */
void board_supply(struct board *board, uint16_t count);
#endif

#if PIXELS
/* Red, green and blue of all pixels, once for each time that they came whole; else null. */
const uint8_t *board_pixels(struct board *board);

/* Nobody says any more what should shine. */
void board_darken(struct board *board);
#endif

/* Whether the lamp shines now. */
bool board_lamp(const struct board *board, uint32_t now_ms);

#endif
