#include "board.h"

#include <string.h>

#define SECOND_MS 1000
#define RESEND_FIRST_MS 50
#define RESEND_LAST_MS 1600
#define BLINK_MS 256 /* a power of two */
#define TORN_SCANS 3                    /* one alone may be a spark */
#define AT_ONCE 3                       /* sensors that no hands close within one scan */
#define WHOLE_SCANS (DEBOUNCE_MS_MAX + 1) /* all levels have settled by then */

_Static_assert(sizeof(struct msg_hello) + sizeof(BOARD_NAME) - 1 <= BODY_MAX, "the board's name is too long");
_Static_assert(sizeof(struct msg_snapshot) + CHAIN_BYTES <= BODY_MAX, "the chain is too long for a snapshot");

enum { DUE_HELLO = 1, DUE_SNAPSHOT = 2, DUE_STATUS = 4 };

static void begin_second(struct board *b)
{
    b->scans = 0;
    b->latest_us = 0;
    b->earliest_us = UINT16_MAX;
}

/* How many scans in a row show a level for as long as a scan each millisecond would, from the first to the last one. */
static uint8_t scans_in(uint8_t ms)
{
    return (uint8_t)(1 + (ms - 1 + SCAN_MS - 1) / SCAN_MS);
}

static void debounce_for(struct board *b, uint8_t press_ms, uint8_t release_ms)
{
    b->press_ms = press_ms;
    b->release_ms = release_ms;
    debounce_set(&b->debounce, scans_in(press_ms), scans_in(release_ms));
}

void board_start(struct board *b, uint8_t reset_cause)
{
    memset(b, 0, sizeof *b);
    debounce_for(b, DEBOUNCE_DEFAULT_MS, DEBOUNCE_DEFAULT_MS);
    b->reset_cause = reset_cause;
    b->resend_ms = RESEND_FIRST_MS;
    b->due = DUE_HELLO;
    begin_second(b);
}

void board_greet(struct board *b)
{
    b->due |= DUE_HELLO;
}

static void note_changes(struct board *b, uint8_t at, uint8_t changed, uint32_t ms)
{
    for (uint8_t bit = 0; changed; bit++, changed >>= 1) {
        if (!(changed & 1))
            continue;
        bool on = b->debounce.level[at] >> bit & 1;
        /* The time is that of the first scan of the run, so that both directions and all settings agree. */
        uint8_t scans = on ? b->debounce.press : b->debounce.release;
        bool overflow = b->events.overflow;
        events_add(&b->events, ms - (scans - 1U) * SCAN_MS, (uint16_t)(at * 8U + bit), on);
        if (b->events.overflow && !overflow)
            b->due |= DUE_STATUS;
    }
}

/* Whether a scan is to be believed: not while a chain that was whole may be torn, nobody was told yet. */
static bool chain_ends(struct board *b, bool torn)
{
    if (torn == b->torn) {
        b->end_scans = 0;
        return true;
    }
    if (++b->end_scans < (torn ? TORN_SCANS : WHOLE_SCANS))
        return !torn;
    b->torn = torn;
    b->end_scans = 0;
    b->due |= DUE_STATUS; /* goes before any change */
    return true;
}

static uint8_t count(uint8_t bits)
{
    uint8_t found = 0;
    for (; bits; bits &= (uint8_t)(bits - 1))
        found++;
    return found;
}

/* Whether a data wire lies on ground: within one scan sensors closed, and with them every input behind it reads closed.
 * It stays so until the first register that they closed in has an open input again. */
static bool grounded(struct board *b, const uint8_t *raw, uint8_t closed_from)
{
    if (b->grounded)
        return b->grounded = closed_from <= b->grounded_at;
    if (!b->scanned)
        return false;
    uint8_t sudden = 0, first = CHAIN_BYTES;
    for (uint8_t at = closed_from; at < CHAIN_BYTES; at++) {
        uint8_t closed = raw[at] & (uint8_t)~b->debounce.level[at] & (uint8_t)~debounce_doubted(&b->debounce, at);
        if (closed && first == CHAIN_BYTES)
            first = at;
        sudden += count(closed);
        if (sudden >= AT_ONCE) {
            b->grounded_at = first;
            return b->grounded = true;
        }
    }
    return false;
}

void board_scan(struct board *b, const uint8_t *raw, struct chain_end end, uint32_t ms, uint16_t late_us)
{
    b->scans++;
    if (late_us < b->earliest_us)
        b->earliest_us = late_us;
    if (late_us > b->latest_us)
        b->latest_us = late_us;
    bool low = grounded(b, raw, end.closed_from);
    if (!chain_ends(b, end.past != 0 || low))
        return;
    if (!b->scanned) { /* what stands on the board already is no change */
        memcpy(b->debounce.level, raw, CHAIN_BYTES);
        b->scanned = true;
        return;
    }
    for (uint8_t at = 0; at < CHAIN_BYTES; at++) {
        uint8_t changed = debounce_byte(&b->debounce, at, raw[at]);
        if (changed && b->watched)
            note_changes(b, at, changed, ms);
    }
}

#if SUPPLY_TOLD
void board_supply(struct board *b, uint16_t count)
{
    if (supply_scan(&b->supply, count))
        b->due |= DUE_STATUS;
}
#endif

static bool debounce_valid(uint8_t ms)
{
    return ms >= 1 && ms <= DEBOUNCE_MS_MAX;
}

static void take_ack(struct board *b, uint16_t number, uint32_t now_ms)
{
    if (!b->watched)
        return; /* it means changes of before a restart */
    if (events_ack(&b->events, number)) {
        b->resend_ms = RESEND_FIRST_MS;
        b->waiting_ms = now_ms;
    } else if ((uint16_t)(number + 1) == events_oldest(&b->events)) {
        events_rewind(&b->events);
    }
}

#if PIXELS
_Static_assert(sizeof(struct msg_pixels) + PIXELS_AT_ONCE * PIXEL_BYTES <= BODY_MAX, "too many pixels at once");

static bool take_pixels(struct board *b, const uint8_t *body, uint8_t size)
{
    const struct msg_pixels *pixels = (const void *)body;
    if (size <= sizeof *pixels || (size - sizeof *pixels) % PIXEL_BYTES)
        return false;
    uint8_t count = (size - sizeof *pixels) / PIXEL_BYTES;
    if (pixels->first + count > PIXELS)
        return false;
    memcpy(b->pixels + pixels->first * PIXEL_BYTES, body + sizeof *pixels, count * PIXEL_BYTES);
    if (pixels->first + count == PIXELS)
        b->pixels_due = true;
    return true;
}

const uint8_t *board_pixels(struct board *b)
{
    bool due = b->pixels_due;
    b->pixels_due = false;
    return due ? b->pixels : 0;
}

void board_darken(struct board *b)
{
    memset(b->pixels, 0, sizeof b->pixels);
    b->pixels_due = true;
}
#endif

#if LINEAR
_Static_assert(sizeof(struct msg_rests) + RESTS_AT_ONCE * REST_BYTES <= BODY_MAX, "too many rests at once");

/* What seemed to stand on the board before it is watched may be where a sensor rests: then all is looked at anew. */
static bool take_rests(struct board *b, const uint8_t *body, uint8_t size)
{
    const struct msg_rests *rests = (const void *)body;
    if (size <= sizeof *rests || (size - sizeof *rests) % REST_BYTES)
        return false;
    if (!field_rests_take(&b->rests, rests->first, body + sizeof *rests, (size - sizeof *rests) / REST_BYTES))
        return false;
    b->scanned &= b->watched;
    return true;
}
#endif

/* False where the frame is no message that a host may send. */
static bool take_message(struct board *b, uint8_t type, const uint8_t *body, uint8_t size, uint32_t now_ms)
{
    switch (type) {
    case MSG_HELLO_PLEASE:
        b->due |= DUE_HELLO;
        return size == 0;
    case MSG_SNAPSHOT_PLEASE:
        b->due |= b->watched ? DUE_SNAPSHOT : DUE_HELLO; /* a host that missed a restart is told of it */
        return size == 0;
    case MSG_WATCH: {
        const struct msg_watch *watch = (const void *)body;
        if (size != sizeof *watch)
            return false;
        b->session = watch->session;
        b->watched = true;
        b->due |= DUE_SNAPSHOT;
        return true;
    }
    case MSG_ACK: {
        const struct msg_ack *ack = (const void *)body;
        if (size != sizeof *ack)
            return false;
        take_ack(b, ack->event, now_ms);
        return true;
    }
    case MSG_SET_DEBOUNCE: {
        const struct msg_set_debounce *set = (const void *)body;
        if (size != sizeof *set || !debounce_valid(set->press_ms) || !debounce_valid(set->release_ms))
            return false;
        debounce_for(b, set->press_ms, set->release_ms);
        b->due |= DUE_STATUS; /* says which are in force */
        return true;
    }
    case MSG_IDENTIFY: {
        const struct msg_identify *identify = (const void *)body;
        if (size != sizeof *identify)
            return false;
        b->lamp_end_ms = now_ms + identify->seconds * (uint32_t)SECOND_MS;
        return true;
    }
    case MSG_WATCH_TILES: {
        const struct msg_watch_tiles *watch = (const void *)body;
        const struct pair pair = {watch->register_a, watch->register_b};
        return size == sizeof *watch && tracker_watch(&b->tracker, pair, watch->every_ms, now_ms);
    }
    case MSG_WATCH_ROUND: {
        const struct msg_watch_round *watch = (const void *)body;
        return size == sizeof *watch && tracker_watch_round(&b->tracker, watch->every_ms, now_ms);
    }
#if PIXELS
    case MSG_PIXELS:
        return take_pixels(b, body, size);
#endif
#if LINEAR
    case MSG_FIELDS_PLEASE:
        field_report_ask(&b->fields);
        return size == 0;
    case MSG_RESTS:
        return take_rests(b, body, size);
#endif
    default:
        return false;
    }
}

void board_receive(struct board *b, uint8_t byte, uint32_t now_ms)
{
    uint8_t size = 0;
    enum frame_result result = frame_take(&b->reader, byte, &size);
    if (result == FRAME_NONE)
        return;
    if (result == FRAME_READY && take_message(b, b->reader.raw[0], b->reader.raw + 2, size, now_ms))
        return;
    if (b->bad_frames < UINT16_MAX)
        b->bad_frames++;
}

static bool strong(const struct board *b)
{
#if SUPPLY_TOLD
    return b->supply.strong;
#else
    (void)b;
    return false;
#endif
}

static uint8_t flags(const struct board *b)
{
    return (b->watched ? FLAG_WATCHED : 0) | (b->events.overflow ? FLAG_OVERFLOW : 0) |
           (b->torn ? FLAG_TORN : 0) | (b->torn && b->grounded ? FLAG_GROUNDED : 0) | (PIXELS ? FLAG_PIXELS : 0) |
           (LINEAR ? FLAG_FIELDS | FLAG_RESTS : 0) | (strong(b) ? FLAG_STRONG : 0);
}

static uint8_t send_hello(struct board *b, uint32_t now_us, uint8_t *wire)
{
    static const char name[] = BOARD_NAME;
    const struct msg_hello hello = {
        .protocol = PROTOCOL,
        .firmware = FIRMWARE_VERSION,
        .reset_cause = b->reset_cause,
        .flags = flags(b),
        .table_hash = TABLE_HASH,
        .sensors = SENSORS,
        .now_us = now_us,
    };
    return frame_pack(wire, MSG_HELLO, b->seq++, &hello, sizeof hello, name, sizeof name - 1);
}

static uint8_t send_snapshot(struct board *b, uint32_t now_us, uint8_t *wire)
{
    events_forget(&b->events);
    const struct msg_snapshot snapshot = {
        .now_us = now_us,
        .event = b->events.newest,
        .oldest = events_oldest(&b->events),
        .session = b->session,
    };
    return frame_pack(wire, MSG_SNAPSHOT, b->seq++, &snapshot, sizeof snapshot, b->debounce.level, CHAIN_BYTES);
}

static uint8_t send_status(struct board *b, uint32_t now_us, uint32_t now_ms, uint8_t *wire)
{
    const struct msg_status status = {
        .now_us = now_us,
        .uptime_s = now_ms / SECOND_MS,
        .reset_cause = b->reset_cause,
        .flags = flags(b),
        .scans_per_s = b->scans_per_s,
        .jitter_us = b->jitter_us,
        .scans_missed = b->scans_missed,
        .event = b->events.newest,
        .oldest = events_oldest(&b->events),
        .press_ms = b->press_ms,
        .release_ms = b->release_ms,
        .bad_frames = b->bad_frames,
        .bytes_lost = b->bytes_lost,
        .changes_lost = b->events.dropped,
        .changes_resent = b->events.resent,
    };
    return frame_pack(wire, MSG_STATUS, b->seq++, &status, sizeof status, 0, 0);
}

static uint8_t send_change(struct board *b, uint32_t now_ms, uint8_t *wire)
{
    uint16_t number;
    uint32_t ms;
    const struct event *event = events_next(&b->events, now_ms, &number, &ms);
    if (!event)
        return 0;
    const struct msg_change change = {
        .t_us = ms * 1000U,
        .event = number,
        .sensor = event->sensor_and_on >> 1,
        .on = event->sensor_and_on & 1,
    };
    if (b->events.sent++ == 0)
        b->waiting_ms = now_ms;
    return frame_pack(wire, MSG_CHANGE, b->seq++, &change, sizeof change, 0, 0);
}

/* Readings are not kept: the next one is newer. */
static uint8_t send_reading(struct board *b, uint8_t *wire)
{
    if (!b->tracker.full)
        return 0;
    b->tracker.full = false;
    return frame_pack(wire, MSG_READING, b->seq++, &b->tracker.reading, sizeof b->tracker.reading, 0, 0);
}

#if LINEAR
_Static_assert(sizeof(struct msg_fields) + FIELDS_AT_ONCE * FIELD_TOLD_BYTES <= BODY_MAX, "too many fields at once");

static uint8_t send_fields(struct board *b, uint32_t now_ms, uint8_t *wire)
{
    struct msg_fields fields;
    uint8_t count = field_report_next(&b->fields, now_ms, &fields.first);
    if (!count)
        return 0;
    const struct field_told *told = b->fields.told + fields.first;
    return frame_pack(wire, MSG_FIELDS, b->seq++, &fields, sizeof fields, told, count * FIELD_TOLD_BYTES);
}
#else
static uint8_t send_fields(struct board *b, uint32_t now_ms, uint8_t *wire)
{
    return (void)b, (void)now_ms, (void)wire, 0;
}
#endif

static void end_second(struct board *b, uint32_t now_ms)
{
    b->second_ms = now_ms;
    b->scans_per_s = b->scans;
    b->jitter_us = b->scans ? b->latest_us - b->earliest_us : 0;
    b->due |= DUE_STATUS | (b->watched ? 0 : DUE_HELLO);
    begin_second(b);
    events_expire(&b->events, now_ms);
}

uint8_t board_next(struct board *b, uint32_t now_ms, uint16_t past_us, uint8_t *wire)
{
    uint32_t now_us = now_ms * 1000U + past_us;
    if (now_ms - b->second_ms >= SECOND_MS)
        end_second(b, now_ms);
    if (b->events.sent && now_ms - b->waiting_ms >= b->resend_ms) {
        events_rewind(&b->events);
        b->resend_ms = b->resend_ms < RESEND_LAST_MS ? b->resend_ms * 2 : RESEND_LAST_MS;
    }
    if (b->due & DUE_HELLO) {
        b->due &= (uint8_t)~DUE_HELLO;
        return send_hello(b, now_us, wire);
    }
    bool tear_untold = b->torn && b->due & DUE_STATUS;
    if (b->due & DUE_SNAPSHOT && b->scanned && !tear_untold) {
        b->due &= (uint8_t)~DUE_SNAPSHOT;
        return send_snapshot(b, now_us, wire);
    }
    if (b->due & DUE_STATUS) {
        b->due &= (uint8_t)~DUE_STATUS;
        return send_status(b, now_us, now_ms, wire);
    }
    uint8_t size = send_change(b, now_ms, wire);
    if (!size)
        size = send_reading(b, wire);
    return size ? size : send_fields(b, now_ms, wire);
}

bool board_lamp(const struct board *b, uint32_t now_ms)
{
    return (int32_t)(b->lamp_end_ms - now_ms) > 0 && !(now_ms & BLINK_MS);
}
