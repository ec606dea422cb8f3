/* Tests of the portable core on this computer, with sanitizers: `core_tests NAME` runs one, `core_tests` lists them.
 * `core_tests golden` reads frames in hex from standard input and prints what the C side finds in them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"

#define CHECK(condition)                                                      \
    do {                                                                      \
        if (!(condition)) {                                                   \
            printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                          \
        }                                                                     \
    } while (0)

static struct board board;
static uint8_t raw[CHAIN_BYTES];
static struct chain_end end = {0, CHAIN_BYTES}; /* it ends as it should */
static uint8_t wire[WIRE_MAX];
static uint32_t now_ms;

static void hear(uint8_t type, const void *body, uint8_t size)
{
    uint8_t length = frame_pack(wire, type, 0, body, size, 0, 0);
    for (uint8_t i = 0; i < length; i++)
        board_receive(&board, wire[i], now_ms);
}

static void scan(unsigned times)
{
    while (times--)
        board_scan(&board, raw, end, now_ms += SCAN_MS, 2);
}

/* The type of the next frame, its body unstuffed in `body`; 0 where there is none. */
static uint8_t next(uint8_t *body)
{
    uint8_t size = board_next(&board, now_ms, 0, wire), at = 0, length = 0;
    uint8_t plain[WIRE_MAX];
    if (!size)
        return 0;
    CHECK(wire[size - 1] == 0);
    while (at < size - 1) {
        uint8_t code = wire[at];
        CHECK(code);
        for (uint8_t i = 1; i < code; i++)
            plain[length++] = wire[at + i];
        at += code;
        if (at < size - 1)
            plain[length++] = 0;
    }
    memcpy(body, plain + 2, length - FRAME_OVERHEAD);
    return plain[0];
}

static void watch(uint8_t session)
{
    const struct msg_watch message = {session};
    hear(MSG_WATCH, &message, sizeof message);
}

static void start_watched(void)
{
    uint8_t body[BODY_MAX];
    now_ms = 0;
    memset(raw, 0, sizeof raw);
    board_start(&board, RESET_POWER_ON);
    scan(1);
    CHECK(next(body) == MSG_HELLO);
    watch(1);
    CHECK(next(body) == MSG_SNAPSHOT && ((const struct msg_snapshot *)body)->session == 1);
    CHECK(next(body) == 0);
}

static void ack(uint16_t event)
{
    const struct msg_ack message = {event};
    hear(MSG_ACK, &message, sizeof message);
}

static void test_a_level_counts_once_it_lasted(void)
{
    for (uint8_t press = 1; press <= DEBOUNCE_MS_MAX; press++) {
        for (uint8_t release = 1; release <= DEBOUNCE_MS_MAX; release++) {
            struct debounce d = {0};
            debounce_set(&d, press, release);
            for (uint8_t scans = 1; scans < press; scans++)
                CHECK(debounce_byte(&d, 0, 0x10) == 0);
            CHECK(debounce_byte(&d, 0, 0x10) == 0x10);
            for (uint8_t scans = 1; scans < release; scans++)
                CHECK(debounce_byte(&d, 0, 0) == 0);
            CHECK(debounce_byte(&d, 0, 0) == 0x10);
        }
    }
}

static void test_one_scan_that_agrees_begins_anew(void)
{
    struct debounce d = {0};
    debounce_set(&d, 4, 4);
    for (int again = 0; again < 10; again++) {
        for (int scans = 0; scans < 3; scans++)
            CHECK(debounce_byte(&d, 0, 0x03) == 0);
        CHECK(debounce_byte(&d, 0, 0x02) == (again ? 0 : 0x02));
    }
}

static void test_bits_are_debounced_each_for_itself(void)
{
    struct debounce d = {0};
    uint8_t level[8] = {0}, count[8] = {0};
    uint32_t dice = 1;
    debounce_set(&d, 5, 2);
    for (int scans = 0; scans < 100000; scans++) {
        uint8_t now = 0, expected = 0;
        for (int bit = 0; bit < 8; bit++) {
            dice = dice * 1664525 + 1013904223;
            uint8_t shown = (dice >> 28) < 5 ? !level[bit] : level[bit];
            now |= shown << bit;
            count[bit] = shown == level[bit] ? 0 : count[bit] + 1;
            if (count[bit] == (shown ? 5 : 2)) {
                level[bit] = shown;
                count[bit] = 0;
                expected |= 1 << bit;
            }
        }
        CHECK(debounce_byte(&d, 0, now) == expected);
    }
}

static void test_a_change_tells_its_first_scan(void)
{
    uint8_t body[BODY_MAX];
    const struct msg_change *change = (const void *)body;
    start_watched();
    scan(9);
    raw[1] = 0x80;
    scan(board.debounce.press - 1U);
    CHECK(next(body) == 0);
    scan(1);
    CHECK(next(body) == MSG_CHANGE);
    CHECK(change->t_us == 11000 * SCAN_MS && change->event == 1 && change->sensor == 15 && change->on == 1);
    CHECK(next(body) == 0);
}

/* By scans a millisecond a level is told so many scans after its first one; a slower board needs fewer, but no less time. */
static void test_a_level_must_last_as_long_on_every_board(void)
{
    uint8_t body[BODY_MAX];
    for (uint8_t ms = 1; ms <= DEBOUNCE_MS_MAX; ms++) {
        const struct msg_set_debounce set = {ms, ms};
        start_watched();
        hear(MSG_SET_DEBOUNCE, &set, sizeof set);
        CHECK(next(body) == MSG_STATUS && ((const struct msg_status *)body)->press_ms == ms);
        raw[1] = 0x80;
        scan(1);
        uint32_t first_ms = now_ms;
        while (next(body) != MSG_CHANGE)
            scan(1);
        CHECK(now_ms - first_ms >= ms - 1U && now_ms - first_ms < ms - 1U + SCAN_MS);
    }
}

static void test_before_it_is_watched_a_board_tells_no_change(void)
{
    uint8_t body[BODY_MAX];
    now_ms = 0;
    memset(raw, 0, sizeof raw);
    board_start(&board, RESET_EXTERNAL);
    scan(1);
    CHECK(next(body) == MSG_HELLO);
    raw[0] = 1;
    scan(10);
    CHECK(next(body) == 0);
    hear(MSG_SNAPSHOT_PLEASE, 0, 0); /* of a host that did not see the restart */
    CHECK(next(body) == MSG_HELLO && !(((const struct msg_hello *)body)->flags & FLAG_WATCHED));
    CHECK(next(body) == 0);
    watch(9);
    CHECK(next(body) == MSG_SNAPSHOT);
    CHECK(((const struct msg_snapshot *)body)->event == 0 && body[sizeof(struct msg_snapshot)] == 1);
}

static void test_whoever_opens_the_line_is_told_who_speaks(void)
{
    uint8_t body[BODY_MAX];
    start_watched();
    CHECK(next(body) == 0);
    board_greet(&board);
    CHECK(next(body) == MSG_HELLO && ((const struct msg_hello *)body)->flags & FLAG_WATCHED);
    CHECK(next(body) == 0);
}

static void test_a_change_comes_again_until_it_is_acknowledged(void)
{
    uint8_t body[BODY_MAX];
    unsigned sent = 0;
    start_watched();
    raw[0] = 1;
    while (now_ms < 900) {
        scan(1);
        sent += next(body) == MSG_CHANGE;
    }
    CHECK(sent == 5); /* at once, and after 50, 100, 200 and 400 ms more */
    ack(1);
    for (int ms = 0; ms < 5000; ms++) {
        scan(1);
        CHECK(next(body) != MSG_CHANGE);
    }
}

static void test_newer_changes_do_not_put_off_what_is_sent_again(void)
{
    uint8_t body[BODY_MAX];
    unsigned first = 0;
    start_watched();
    for (int scans = 0; scans < 300 / SCAN_MS; scans++) {
        if (scans % 10 == 0)
            raw[scans / 10 % CHAIN_BYTES] ^= 1;
        scan(1);
        while (next(body) == MSG_CHANGE)
            first += ((const struct msg_change *)body)->event == 1;
    }
    CHECK(first == 3); /* at once, and after 50 and 100 ms more */
}

static void test_an_acknowledgement_said_twice_asks_for_more(void)
{
    uint8_t body[BODY_MAX];
    start_watched();
    raw[0] = 0xFF;
    scan(4);
    for (int changes = 0; changes < 8; changes++)
        CHECK(next(body) == MSG_CHANGE);
    CHECK(next(body) == 0);
    ack(3);
    CHECK(next(body) == 0);
    ack(3);
    for (uint16_t event = 4; event <= 8; event++)
        CHECK(next(body) == MSG_CHANGE && ((const struct msg_change *)body)->event == event);
    CHECK(next(body) == 0);
}

static void test_an_overflow_is_said_and_ended_by_a_snapshot(void)
{
    uint8_t body[BODY_MAX];
    const struct msg_status *status = (const void *)body;
    const struct msg_snapshot *snapshot = (const void *)body;
    unsigned changes = 0;
    start_watched();
    while (changes <= EVENTS_MAX) {
        memset(raw, ~raw[0], sizeof raw);
        scan(4);
        changes += 8 * CHAIN_BYTES;
    }
    CHECK(next(body) == MSG_STATUS && status->flags == (FLAG_WATCHED | FLAG_OVERFLOW | (PIXELS ? FLAG_PIXELS : 0) | (POLES ? FLAG_FIELDS | FLAG_RESTS : 0)));
    CHECK(status->event == changes && status->oldest == changes + 1 && status->changes_lost == changes);
    CHECK(next(body) == 0);
    hear(MSG_SNAPSHOT_PLEASE, 0, 0);
    CHECK(next(body) == MSG_SNAPSHOT && snapshot->event == changes && snapshot->oldest == changes + 1);
    CHECK(body[sizeof *snapshot] == raw[0]);
    raw[0] ^= 1;
    scan(4);
    CHECK(next(body) == MSG_CHANGE && ((const struct msg_change *)body)->event == changes + 1);
}

static void test_numbers_go_round(void)
{
    uint8_t body[BODY_MAX];
    start_watched();
    for (uint32_t event = 1; event < 70000; event++) {
        raw[2] ^= 4;
        do
            scan(1);
        while (next(body) != MSG_CHANGE);
        CHECK(((const struct msg_change *)body)->event == (uint16_t)event);
        CHECK(board.events.kept == 1);
        ack((uint16_t)event);
        CHECK(board.events.kept == 0);
    }
}

static void test_a_change_too_old_to_date_is_given_up(void)
{
    uint8_t body[BODY_MAX];
    start_watched();
    raw[0] = 1;
    while (now_ms < 59000) {
        scan(1);
        if (next(body) == MSG_CHANGE)
            CHECK(((const struct msg_change *)body)->t_us == 2000 * SCAN_MS);
    }
    CHECK(board.events.kept == 1);
    while (now_ms < 63000) {
        scan(1);
        next(body);
    }
    CHECK(board.events.kept == 0 && board.events.overflow);
}

static void test_strange_bytes_do_no_harm(void)
{
    uint8_t body[BODY_MAX];
    uint32_t dice = 7;
    start_watched();
    for (uint32_t i = 0; i < 2000000; i++) {
        dice = dice * 1664525 + 1013904223;
        board_receive(&board, (dice >> 24) < 40 ? 0 : (uint8_t)(dice >> 16), now_ms);
    }
    board_receive(&board, 0, now_ms);
    CHECK(board.bad_frames == UINT16_MAX);
    hear(MSG_HELLO_PLEASE, 0, 0);
    CHECK(next(body) == MSG_HELLO);
}

static void test_a_debounce_out_of_bounds_is_not_taken(void)
{
    for (unsigned ms = 0; ms < 256; ms++) {
        const struct msg_set_debounce set = {(uint8_t)ms, 3};
        bool valid = ms >= 1 && ms <= DEBOUNCE_MS_MAX;
        start_watched();
        hear(MSG_SET_DEBOUNCE, &set, sizeof set);
        CHECK(board.press_ms == (valid ? ms : DEBOUNCE_DEFAULT_MS));
        CHECK(board.bad_frames == !valid);
    }
}

static bool watch_tiles(uint8_t a, uint8_t b, uint16_t every_ms)
{
    const struct msg_watch_tiles watch = {a, b, every_ms};
    uint16_t bad = board.bad_frames;
    hear(MSG_WATCH_TILES, &watch, sizeof watch);
    return board.bad_frames == bad;
}

static bool watch_round(uint16_t every_ms)
{
    const struct msg_watch_round watch = {every_ms};
    uint16_t bad = board.bad_frames;
    hear(MSG_WATCH_ROUND, &watch, sizeof watch);
    return board.bad_frames == bad;
}

/* Whether a reading comes next, after what goes before it. */
static bool next_reading(uint8_t *body)
{
    uint8_t type;
    do
        type = next(body);
    while (type == MSG_STATUS || type == MSG_HELLO || type == MSG_CHANGE);
    return type == MSG_READING;
}

/* A scan, latched and measured where it was asked for; the pair that was read is in `pair`. */
static bool tracked_scan(struct pair *pair)
{
    const uint16_t counts[TRACKER_CHANNELS] = {1, 2, 3};
    now_ms++;
    bool wanted = tracker_wants(&board.tracker, now_ms, pair);
    if (wanted) {
        tracker_latched(&board.tracker, *pair, raw, now_ms);
        tracker_measured(&board.tracker, counts);
    }
    board_scan(&board, raw, end, now_ms, 2);
    return wanted;
}

/* Scans with the data wire to register `from` on ground: all behind it read closed. */
static void scan_grounded(uint8_t from, unsigned times)
{
    uint8_t sound[CHAIN_BYTES];
    memcpy(sound, raw, sizeof raw);
    memset(raw + from, 0xFF, CHAIN_BYTES - from);
    end.closed_from = from;
    scan(times);
    end.closed_from = CHAIN_BYTES;
    memcpy(raw, sound, sizeof raw);
}

static void test_a_data_wire_on_ground_is_a_tear_until_its_register_is_open_again(void)
{
    uint8_t body[BODY_MAX];
    const struct msg_status *status = (const void *)body;
    start_watched();
    for (uint8_t from = 0; from < CHAIN_BYTES; from++) {
        scan_grounded(from, 2); /* a spark */
        scan(50);
        CHECK(!board.torn && memchr(board.debounce.level, 0xFF, CHAIN_BYTES) == 0);
        scan_grounded(from, 50);
        CHECK(next(body) == MSG_STATUS && status->flags & FLAG_TORN); /* before any change */
        while (next(body))
            ;
        scan(20);
        CHECK(next(body) == MSG_STATUS && !(status->flags & FLAG_TORN));
        while (next(body))
            ;
    }
}

static void test_a_last_register_that_fills_piece_by_piece_is_no_tear(void)
{
    uint8_t body[BODY_MAX];
    unsigned changes = 0;
    start_watched();
    for (uint8_t bit = 0; bit < 8; bit += 2) { /* by two hands at a time */
        raw[CHAIN_BYTES - 1] |= (uint8_t)(3 << bit);
        end.closed_from = bit == 6 ? CHAIN_BYTES - 1 : CHAIN_BYTES;
        scan(20);
    }
    raw[CHAIN_BYTES - 1] = 0; /* a jolt opens all for a scan */
    end.closed_from = CHAIN_BYTES;
    scan(1);
    raw[CHAIN_BYTES - 1] = 0xFF;
    end.closed_from = CHAIN_BYTES - 1;
    scan(20);
    CHECK(!board.torn);
    while (next(body) == MSG_CHANGE)
        changes++;
    CHECK(changes == 8);
    end.closed_from = CHAIN_BYTES;
}

static void test_a_tracker_reads_what_it_was_asked_for(void)
{
    uint8_t body[BODY_MAX];
    const struct msg_reading *reading = (const void *)body;
    const uint16_t counts[TRACKER_CHANNELS] = {9, 9, 9};
    struct pair pair;
    start_watched();
    if (!TRACKER_PAIRS) {
        CHECK(!watch_round(0) && !watch_tiles(0, 1, 0) && !tracked_scan(&pair));
        return;
    }
    CHECK(!tracked_scan(&pair));
    CHECK(!watch_tiles(0, 0, 0) && !watch_tiles(CHAIN_BYTES, 1, 0) && !watch_tiles(1, CHAIN_BYTES, 0));
    raw[3] = 0x2A;
    CHECK(watch_tiles(3, 1, 0) && tracked_scan(&pair) && pair.a == 3 && pair.b == 1);
    CHECK(!tracked_scan(&pair)); /* it was asked for once, and waits to be sent */
    CHECK(next(body) == MSG_READING && reading->register_a == 3 && reading->bits_a == 0x2A && reading->bits_b == 0);
    CHECK(reading->t_us == (now_ms - 1) * 1000 && reading->axis_0 == 1 && reading->axis_2 == 3);
    CHECK(!tracked_scan(&pair) && next(body) == 0);

    CHECK(watch_tiles(3, 1, 0) && tracker_wants(&board.tracker, now_ms, &pair));
    tracker_latched(&board.tracker, pair, raw, now_ms);
    CHECK(watch_tiles(1, 3, 0)); /* while the first is being measured */
    tracker_measured(&board.tracker, counts);
    CHECK(next(body) == 0 && tracked_scan(&pair) && pair.a == 1);
    CHECK(next_reading(body) && reading->register_a == 1 && reading->axis_0 == 1);
}

static void test_a_round_begins_again_in_its_time_also_when_the_clock_wraps(void)
{
    uint8_t body[BODY_MAX];
    struct pair pair;
    const int pairs = TRACKER_PAIRS;
    start_watched();
    now_ms = UINT32_MAX - 150;
    if (!pairs)
        return;
    CHECK(watch_round(100));
    for (int ms = 1; ms <= 500; ms++) {
        bool due = (ms < 100 ? ms - 1 : ms % 100) < pairs; /* it is counted from when it was asked for */
        CHECK(tracked_scan(&pair) == due);
        CHECK(!due || next_reading(body));
    }
    CHECK(watch_round(1)); /* faster than a round can be: one after the other */
    for (int ms = 0; ms < 3 * pairs; ms++)
        CHECK(tracked_scan(&pair) && next_reading(body));
    CHECK(watch_round(0));
    for (int ms = 0; ms < 3 * pairs; ms++)
        CHECK(tracked_scan(&pair) == (ms < pairs) && (ms >= pairs || next_reading(body)));
}

#if PIXELS
static bool send_pixels(uint8_t first, uint8_t bytes, uint8_t value)
{
    uint8_t body[sizeof(struct msg_pixels) + PIXELS_AT_ONCE * PIXEL_BYTES + PIXEL_BYTES];
    uint16_t bad = board.bad_frames;
    memset(body, value, sizeof body);
    body[0] = first;
    hear(MSG_PIXELS, body, (uint8_t)(sizeof(struct msg_pixels) + bytes));
    return board.bad_frames == bad;
}

static void test_pixels_shine_once_the_last_one_came(void)
{
    start_watched();
    CHECK(!board_pixels(&board));
    CHECK(send_pixels(0, PIXELS_AT_ONCE * PIXEL_BYTES, 7) && !board_pixels(&board));
    CHECK(send_pixels(PIXELS - 1, PIXEL_BYTES, 9));
    const uint8_t *colours = board_pixels(&board);
    CHECK(colours && colours[0] == 7 && colours[PIXELS_AT_ONCE * PIXEL_BYTES - 1] == 7);
    CHECK(colours[(PIXELS - 1) * PIXEL_BYTES] == 9 && !board_pixels(&board));
    board_darken(&board);
    colours = board_pixels(&board);
    CHECK(colours && colours[0] == 0 && colours[PIXELS * PIXEL_BYTES - 1] == 0);
}

static void test_pixels_that_are_not_there_are_not_taken(void)
{
    start_watched();
    CHECK(!send_pixels(0, 0, 1) && !send_pixels(0, PIXEL_BYTES + 1, 1) && !send_pixels(PIXELS, PIXEL_BYTES, 1));
    CHECK(!send_pixels(PIXELS - 1, 2 * PIXEL_BYTES, 1) && !send_pixels(255, PIXEL_BYTES, 1));
    CHECK(!send_pixels(0, (PIXELS_AT_ONCE + 1) * PIXEL_BYTES, 1)); /* a frame longer than there may be */
    CHECK(!board_pixels(&board));
}
#endif

static bool ask_fields(uint8_t size)
{
    const uint8_t nothing[1] = {0};
    uint16_t bad = board.bad_frames;
    hear(MSG_FIELDS_PLEASE, nothing, size);
    return board.bad_frames == bad;
}

static void test_a_question_for_fields_that_nobody_can_answer_is_a_bad_frame(void)
{
    uint8_t body[BODY_MAX];
    start_watched();
    CHECK(ask_fields(0) == POLES && !ask_fields(1));
    scan(50);
    CHECK(next(body) == 0);
}

#if POLES
static struct field field;
static uint16_t sums[FIELD_CELLS];

static void start_with_fields(void)
{
    start_watched();
    field_start(&field);
    for (uint16_t cell = 0; cell < FIELD_CELLS; cell++)
        sums[cell] = FIELD_MIDDLE;
}

static void scan_fields(unsigned times)
{
    while (times--) {
        field_rests_pass(&board.rests, &field);
        field_scan(&field, sums);
        field_report_scan(&board.fields, &field, sums);
        board_scan(&board, field.level, end, now_ms += SCAN_MS, 2);
    }
}

/* Takes the parts of an answer until it is whole, scan by scan; false where none comes for a while. */
static bool next_fields(struct field_told *told)
{
    uint8_t body[BODY_MAX];
    for (unsigned cells = 0, waited = 0; waited < 100; waited++) {
        if (next(body) == MSG_FIELDS) {
            CHECK(body[0] == cells && cells + FIELDS_AT_ONCE <= FIELD_CELLS);
            memcpy(told + cells, body + 1, FIELDS_AT_ONCE * FIELD_TOLD_BYTES);
            cells += FIELDS_AT_ONCE;
            CHECK(next(body) != MSG_FIELDS); /* not at once */
        }
        if (cells == FIELD_CELLS)
            return true;
        scan_fields(1);
    }
    return false;
}

/* A reading of 4096 counts is 3300 mV, the mean of eight is an eighth of the sum, and 15 mV are a millitesla. */
static bool is_mt(int16_t told, double sum)
{
    double off = told - -100 * sum / 8 / 4096 * 3300 / 15;
    return off > -1.01 && off < 1.01;
}

static void test_fields_are_told_once_to_whoever_asks(void)
{
    struct field_told told[FIELD_CELLS];
    start_with_fields();
    sums[0] = FIELD_MIDDLE + 100; /* it rests there */
    sums[8] = FIELD_MIDDLE * 2 - 8; /* stuck at the upper end */
    sums[9] = 0;
    scan_fields(FIELD_LEARNED);
    CHECK(!next_fields(told));
    sums[0] += 1000;
    CHECK(ask_fields(0) && next_fields(told));
    CHECK(is_mt(told[0].field, 1000) && is_mt(told[0].rest, 100) && told[0].field < 0);
    CHECK(told[1].field == 0 && told[1].rest == 0);
    CHECK(is_mt(told[8].field + told[8].rest, FIELD_MIDDLE - 8) && is_mt(told[9].field + told[9].rest, -FIELD_MIDDLE));
    CHECK(!next_fields(told));
}

static void test_fields_are_the_mean_of_scans_after_the_question(void)
{
    struct field_told told[FIELD_CELLS];
    start_with_fields();
    sums[3] = FIELD_MIDDLE + 5000;
    scan_fields(REPORT_SCANS);
    sums[3] = FIELD_MIDDLE - 3000;
    CHECK(ask_fields(0));
    scan_fields(REPORT_SCANS / 2);
    sums[3] = FIELD_MIDDLE - 2000;
    CHECK(ask_fields(0)); /* while the first answer is being read */
    CHECK(next_fields(told) && is_mt(told[3].field, -2500));
    CHECK(next_fields(told) && is_mt(told[3].field, -2000));
    CHECK(!next_fields(told));
}

static void test_fields_wait_for_all_changes(void)
{
    uint8_t body[BODY_MAX];
    unsigned changes = 0, fields = 0;
    start_with_fields();
    CHECK(ask_fields(0));
    scan_fields(REPORT_SCANS - board.debounce.press);
    for (uint16_t cell = 0; cell < FIELD_CELLS; cell++)
        sums[cell] = FIELD_MIDDLE + 2 * FIELD_THRESHOLD;
    scan_fields(board.debounce.press);
    for (uint8_t type = next(body); type == MSG_CHANGE || type == MSG_FIELDS; type = next(body)) {
        changes += type == MSG_CHANGE;
        fields += type == MSG_FIELDS;
        CHECK(type == MSG_CHANGE || fields == 1);
    }
    CHECK(changes > 30 && fields == 1);
}

/* A reading of 3300 mV is 4096 counts, and a south pole, which is below 0 on the link, raises it. */
static uint16_t sum_of_mt(double mt)
{
    return (uint16_t)(FIELD_MIDDLE - mt * 15 / 3300 * 4096 * 8 + 0.5);
}

static bool tell_rests(uint8_t first, const int16_t *rests, uint8_t bytes)
{
    uint8_t body[sizeof(struct msg_rests) + (RESTS_AT_ONCE + 1) * REST_BYTES] = {first};
    uint16_t bad = board.bad_frames;
    memcpy(body + 1, rests, bytes);
    hear(MSG_RESTS, body, (uint8_t)(1 + bytes));
    return board.bad_frames == bad;
}

static bool on(uint16_t cell)
{
    return (board.debounce.level[cell / 8] | board.debounce.level[FIELD_BYTES + cell / 8]) >> cell % 8 & 1;
}

static void test_fields_count_from_where_a_host_says_that_sensors_rest(void)
{
    const int16_t rests[] = {-350, REST_UNKNOWN, 400};
    struct field_told told[FIELD_CELLS];
    start_with_fields();
    sums[0] = sums[1] = sum_of_mt(-3.5);
    sums[2] = sum_of_mt(4.0);
    scan_fields(2 * FIELD_LEARNED);
    CHECK(on(0) && on(1) && on(2)); /* each seems to have a piece */
    CHECK(tell_rests(0, rests, sizeof rests));
    scan_fields(2 * FIELD_LEARNED);
    CHECK(!on(0) && on(1) && !on(2));
    sums[0] = sum_of_mt(-3.5 + 2.9);
    sums[2] = sum_of_mt(4.0 + 3.1);
    scan_fields(board.debounce.press);
    CHECK(!on(0) && on(2));
    sums[0] = sum_of_mt(-3.5 + 3.1);
    CHECK(ask_fields(0) && next_fields(told));
    CHECK(on(0) && told[0].field >= 308 && told[0].field <= 312 && told[0].rest >= -352 && told[0].rest <= -348);
}

static void test_fields_of_a_board_that_is_told_its_rests_give_the_first_snapshot(void)
{
    const int16_t rests[] = {-350};
    uint8_t body[BODY_MAX], type;
    start_with_fields();
    board_start(&board, 1);
    sums[0] = sum_of_mt(-3.5);
    sums[1] = sum_of_mt(7.3);
    scan_fields(10);
    CHECK(tell_rests(0, rests, sizeof rests));
    hear(MSG_WATCH, (const uint8_t[]){7}, 1);
    while ((type = next(body)) && type != MSG_SNAPSHOT)
        ;
    CHECK(type == 0); /* it waits for a scan from there */
    scan_fields(1);
    CHECK(next(body) == MSG_SNAPSHOT && body[sizeof(struct msg_snapshot)] == 2);
    scan_fields(2 * FIELD_LEARNED);
    CHECK(next(body) != MSG_CHANGE);
}

static void test_fields_follow_on_where_the_same_rests_are_told_again(void)
{
    const int16_t rests[] = {-350}, others[] = {-300};
    start_with_fields();
    CHECK(tell_rests(0, rests, sizeof rests));
    sums[0] = sum_of_mt(-4.5); /* a millitesla of warmth since it was measured */
    scan_fields(FIELD_LEARNED);
    CHECK(field.rest[0] == sums[0]);
    CHECK(tell_rests(0, rests, sizeof rests));
    scan_fields(1);
    CHECK(field.rest[0] == sums[0]);
    sums[0] = sum_of_mt(-4.8);
    scan_fields(FIELD_FOLLOW_SCANS);
    CHECK(field.rest[0] == sum_of_mt(-4.5) + 1);
    CHECK(tell_rests(0, others, sizeof others));
    scan_fields(1);
    CHECK(field.rest[0] >= sum_of_mt(-3.0) - 1 && field.rest[0] <= sum_of_mt(-3.0) + 1);
}

static void test_fields_do_not_rest_where_no_sensor_may(void)
{
    int16_t rests[RESTS_AT_ONCE + 1] = {-350};
    start_with_fields();
    CHECK(!tell_rests(0, rests, 0) && !tell_rests(0, rests, 1) && !tell_rests(0, rests, 3)); /* cut */
    CHECK(!tell_rests(FIELD_CELLS, rests, 2) && !tell_rests(FIELD_CELLS - 1, rests, 4) && !tell_rests(255, rests, 2));
    rests[1] = FIELD_REST_MOST + 1; /* a magnet */
    CHECK(!tell_rests(0, rests, 4));
    rests[1] = -11000; /* a rail */
    CHECK(!tell_rests(0, rests, 4));
    rests[1] = INT16_MIN;
    CHECK(!tell_rests(0, rests, 4));
    scan_fields(1);
    CHECK(field.rest[0] == FIELD_MIDDLE && field.rest[1] == FIELD_MIDDLE);
    CHECK(tell_rests(FIELD_CELLS - 1, rests, 2));
}

#if SUPPLY_TOLD
/* A reading of 3300 mV is 4096 counts, and half of what the CC pin has comes in. */
static void offer(unsigned cc_mv, unsigned ms)
{
    for (unsigned past = 0; past < ms; past += SCAN_MS)
        board_supply(&board, (uint16_t)(cc_mv * 4096 / 2 / 3300));
}

static bool told_strong(void)
{
    uint8_t body[BODY_MAX];
    const struct msg_status *status = (const void *)body;
    CHECK(next(body) == MSG_STATUS);
    return status->flags & FLAG_STRONG;
}

/* Type-C: 0.25 to 0.61 V at the CC pin of a port of 0.5 A, 0.70 to 1.16 V of 1.5 A, 1.31 to 2.04 V of 3 A. */
static void test_supply_is_strong_once_it_has_long_offered_more(void)
{
    uint8_t body[BODY_MAX];
    start_watched();
    while (next(body))
        ;
    offer(0, 1000);
    offer(610, 1000);
    CHECK(next(body) == 0);
    offer(700, 200);
    offer(610, 1); /* it has not made up its mind */
    offer(700, 200);
    CHECK(next(body) == 0);
    offer(700, 50);
    CHECK(told_strong());
    offer(2040, 1000);
    CHECK(next(body) == 0);
}

static void test_supply_that_takes_back_what_it_offered_is_told_within_60_ms(void)
{
    start_watched();
    offer(1310, 250);
    CHECK(told_strong());
    offer(610, 5); /* a spark */
    offer(1310, 1);
    offer(610, 9);
    CHECK(board.supply.strong);
    offer(610, 20);
    CHECK(!told_strong());
}
#endif
#endif

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {
#define TEST(name) {#name, test_##name}
    TEST(a_level_counts_once_it_lasted),
    TEST(one_scan_that_agrees_begins_anew),
    TEST(bits_are_debounced_each_for_itself),
    TEST(a_change_tells_its_first_scan),
    TEST(a_level_must_last_as_long_on_every_board),
    TEST(before_it_is_watched_a_board_tells_no_change),
    TEST(whoever_opens_the_line_is_told_who_speaks),
    TEST(a_change_comes_again_until_it_is_acknowledged),
    TEST(newer_changes_do_not_put_off_what_is_sent_again),
    TEST(an_acknowledgement_said_twice_asks_for_more),
    TEST(an_overflow_is_said_and_ended_by_a_snapshot),
    TEST(numbers_go_round),
    TEST(a_change_too_old_to_date_is_given_up),
    TEST(strange_bytes_do_no_harm),
    TEST(a_debounce_out_of_bounds_is_not_taken),
    TEST(a_data_wire_on_ground_is_a_tear_until_its_register_is_open_again),
    TEST(a_last_register_that_fills_piece_by_piece_is_no_tear),
    TEST(a_tracker_reads_what_it_was_asked_for),
    TEST(a_round_begins_again_in_its_time_also_when_the_clock_wraps),
#if PIXELS
    TEST(pixels_shine_once_the_last_one_came),
    TEST(pixels_that_are_not_there_are_not_taken),
#endif
    TEST(a_question_for_fields_that_nobody_can_answer_is_a_bad_frame),
#if POLES
    TEST(fields_are_told_once_to_whoever_asks),
    TEST(fields_are_the_mean_of_scans_after_the_question),
    TEST(fields_wait_for_all_changes),
    TEST(fields_count_from_where_a_host_says_that_sensors_rest),
    TEST(fields_of_a_board_that_is_told_its_rests_give_the_first_snapshot),
    TEST(fields_follow_on_where_the_same_rests_are_told_again),
    TEST(fields_do_not_rest_where_no_sensor_may),
#if SUPPLY_TOLD
    TEST(supply_is_strong_once_it_has_long_offered_more),
    TEST(supply_that_takes_back_what_it_offered_is_told_within_60_ms),
#endif
#endif
};

/* ---- golden frames: fields by the generated structs, and the frame packed again */

#define FIELD(field) printf(" " #field "=%lu", (unsigned long)m->field);
#define SHOW(name, NAME)                              \
    {                                                 \
        const struct msg_##name *m = (const void *)body; \
        printf("%u " #name, seq);                      \
        FIELDS_##NAME(FIELD) fixed = sizeof *m;       \
        break;                                        \
    }

static void show(uint8_t type, uint8_t seq, const uint8_t *body, uint8_t size)
{
    uint8_t fixed = 0;
    switch (type) {
    case MSG_HELLO: SHOW(hello, HELLO)
    case MSG_SNAPSHOT: SHOW(snapshot, SNAPSHOT)
    case MSG_CHANGE: SHOW(change, CHANGE)
    case MSG_STATUS: SHOW(status, STATUS)
    case MSG_READING: SHOW(reading, READING)
    case MSG_FIELDS: SHOW(fields, FIELDS)
    case MSG_ACK: SHOW(ack, ACK)
    case MSG_SET_DEBOUNCE: SHOW(set_debounce, SET_DEBOUNCE)
    case MSG_IDENTIFY: SHOW(identify, IDENTIFY)
    case MSG_WATCH_TILES: SHOW(watch_tiles, WATCH_TILES)
    case MSG_WATCH_ROUND: SHOW(watch_round, WATCH_ROUND)
    case MSG_WATCH: SHOW(watch, WATCH)
    case MSG_PIXELS: SHOW(pixels, PIXELS)
    case MSG_RESTS: SHOW(rests, RESTS)
    case MSG_HELLO_PLEASE: printf("%u hello_please", seq); break;
    case MSG_SNAPSHOT_PLEASE: printf("%u snapshot_please", seq); break;
    case MSG_FIELDS_PLEASE: printf("%u fields_please", seq); break;
    default: printf("unknown"); break;
    }
    printf(" tail=");
    for (uint8_t i = fixed; i < size; i++)
        printf("%02x", body[i]);
    uint8_t length = frame_pack(wire, type, seq, body, fixed, body + fixed, size - fixed);
    printf(" wire=");
    for (uint8_t i = 0; i < length; i++)
        printf("%02x", wire[i]);
    printf("\n");
}

static int golden(void)
{
    char line[4 * WIRE_MAX];
    while (fgets(line, sizeof line, stdin)) {
        uint8_t plain[WIRE_MAX], length = 0, code = 1, left = 1;
        bool first = true;
        for (char *at = line; at[0] > ' '; at += 2) {
            unsigned byte;
            CHECK(sscanf(at, "%2x", &byte) == 1);
            if (--left == 0) { /* a block's length */
                if (!first && byte && code != 0xFF)
                    plain[length++] = 0;
                first = false;
                code = left = (uint8_t)byte;
            } else {
                plain[length++] = (uint8_t)byte;
            }
        }
        CHECK(length >= FRAME_OVERHEAD && code == 0);
        show(plain[0], plain[1], plain + 2, length - FRAME_OVERHEAD);
        struct frame_reader reader = {0};
        uint8_t size;
        enum frame_result result = FRAME_NONE;
        for (char *at = line; at[0] > ' '; at += 2) {
            unsigned byte;
            CHECK(sscanf(at, "%2x", &byte) == 1);
            result = frame_take(&reader, (uint8_t)byte, &size);
        }
        /* The board reads only what a host may send; longer frames must be refused, not overrun. */
        CHECK(result == (length <= HOST_BODY_MAX + FRAME_OVERHEAD ? FRAME_READY : FRAME_BAD));
        CHECK(result == FRAME_BAD || (size == length - FRAME_OVERHEAD && !memcmp(reader.raw + 2, plain + 2, size)));
    }
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "golden") == 0)
        return golden();
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (count == 1)
            puts(tests[i].name);
        else if (strcmp(arguments[1], tests[i].name) == 0)
            return tests[i].run(), 0;
    }
    return count == 1 ? 0 : 2;
}
