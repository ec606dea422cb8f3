/* Feeds the board's end of the link with strange bytes and strange messages, under sanitizers.
 *
 * With clang this is a target of libFuzzer; without, `main` makes the inputs itself, the same ones each time:
 * `fuzz_link SECONDS` runs so long, `fuzz_link 0 SEED` runs the one input again that failed. */
#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "board.h"

#define INPUT_MAX 512
#define CHECK(condition)                                                      \
    do {                                                                      \
        if (!(condition)) {                                                   \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            abort();                                                          \
        }                                                                     \
    } while (0)

static struct board board;
#if LINEAR
static struct field field;
#endif

/* What is sent must be one whole frame, whatever was heard before. */
static void check_sent(uint32_t now_ms)
{
    uint8_t wire[WIRE_MAX];
    for (int frames = 0; frames < 4; frames++) {
        uint8_t size = board_next(&board, now_ms, 0, wire);
        if (!size)
            return;
        CHECK(size >= FRAME_OVERHEAD + 2 && size <= WIRE_MAX);
        CHECK(memchr(wire, 0, size) == wire + size - 1);
    }
}

static void check_state(void)
{
    CHECK(board.debounce.press >= 1 && board.debounce.press <= DEBOUNCE_MS_MAX);
    CHECK(board.debounce.release >= 1 && board.debounce.release <= DEBOUNCE_MS_MAX);
    CHECK(board.events.kept <= EVENTS_MAX && board.events.sent <= board.events.kept);
    CHECK(board.reader.size <= sizeof board.reader.raw);
    if (TRACKER_PAIRS && board.tracker.active && !board.tracker.round)
        CHECK(board.tracker.watched.a < CHAIN_BYTES && board.tracker.watched.b < CHAIN_BYTES);
#if LINEAR
    for (uint16_t cell = 0; cell < FIELD_CELLS; cell++) /* 700 steps are 4.7 mT */
        CHECK(!board.rests.told[cell] || (board.rests.told[cell] > FIELD_MIDDLE - 700 && board.rests.told[cell] < FIELD_MIDDLE + 700));
    CHECK(board.fields.cells_left <= FIELD_CELLS && board.fields.scans_left <= REPORT_SCANS);
#endif
}

/* An input is a row of steps, told by their first byte: bytes as they are, a message in a sound frame, a scan, time. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t now_ms = 0;
    uint8_t scan[CHAIN_BYTES] = {0}, wire[WIRE_MAX];
    board_start(&board, 1);
#if LINEAR
    field_start(&field);
#endif
    for (size_t at = 0; at + 2 < size;) {
        uint8_t kind = data[at] & 3, length = data[at + 1] % (HOST_BODY_MAX + 6), type = data[at + 2];
        const uint8_t *body = data + at + 3;
        at += 3;
        if (length > size - at)
            length = (uint8_t)(size - at);
        at += length;
        if (kind == 0) {
            for (uint8_t i = 0; i < length; i++)
                board_receive(&board, body[i], now_ms);
        } else if (kind == 1) {
            uint8_t sent = frame_pack(wire, 0x80 | (type & 0x0F), type, body, length, 0, 0);
            for (uint8_t i = 0; i < sent; i++)
                board_receive(&board, wire[i], now_ms);
        } else if (kind == 2) {
#if LINEAR
            const uint16_t sums[FIELD_CELLS] = {(uint16_t)(type << 8 | length)};
            field_rests_pass(&board.rests, &field);
            field_scan(&field, sums);
            field_report_scan(&board.fields, &field, sums);
#endif
            for (uint8_t i = 0; i < length; i++)
                scan[(type + i) % CHAIN_BYTES] = body[i];
            const struct chain_end end = {type & 0x80, (type & 0x7F) % (CHAIN_BYTES + 1)};
            board_scan(&board, scan, end, ++now_ms, length);
        } else {
            now_ms += type * (length + 1U);
        }
        check_sent(now_ms);
        check_state();
    }
    return 0;
}

#ifndef LIBFUZZER
static uint32_t seed, state;

static uint32_t random_bits(void) /* xorshift */
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

static void name_input(void)
{
    fprintf(stderr, "run it again: fuzz_link 0 %u\n", seed);
}

static void once(void)
{
    uint8_t *input = malloc(INPUT_MAX); /* on the heap, so that reading past its end is seen */
    state = seed * 2654435761U | 1;
    size_t size = random_bits() % INPUT_MAX;
    uint8_t *exact = realloc(input, size + 1);
    for (size_t i = 0; i < size; i++)
        exact[i] = random_bits() % 3 ? (uint8_t)random_bits() : (uint8_t)(random_bits() % 12);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(int count, char **arguments)
{
    long seconds = count > 1 ? atol(arguments[1]) : 5;
    time_t end = time(0) + seconds;
    __asan_set_death_callback(name_input);
    if (count > 2) {
        seed = (uint32_t)strtoul(arguments[2], 0, 10);
        once();
        return 0;
    }
    do {
        for (int k = 0; k < 1000; k++, seed++)
            once();
    } while (time(0) < end);
    printf("%u inputs in %ld s, no fault\n", seed, seconds);
    return 0;
}
#endif
