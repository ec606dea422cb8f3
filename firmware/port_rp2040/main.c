/* An RP2040 with linear hall sensors and a serial line over USB. What a sensor board does is in core/.
 *
 * GPIO 2 to 5 are the address S0 to S3 of all 74HC4067, GPIO 26 to 28 read three of them, GPIO 29 reads what the supply offers,
 * GPIO 16 sends to the pixels, GPIO 25 is the lamp. Where there are three groups of three, GPIO 6 to 8 say by a low level
 * which one answers; a single group has its E on ground.
 */
#include <stdbool.h>

#include "board.h"
#include "chip.h"
#include "field.h"
#include "flash_id.h"
#include "muxes.h"
#include "pixels.h"
#include "registers.h"
#include "usb.h"

#define PIN_LAMP 25
#define DARK_MS 20 /* in which the pixels have gone dark, and the computer has seen its request answered */
#define BYTES_AT_ONCE 64 /* then scans have their turn */

#if !POLES || !LINEAR
#error "a board of linear hall sensors tells poles by an RP2040: say poles = true and chip = 'rp2040' in its file"
#endif
_Static_assert(MUX_GROUPS * GROUP_INPUTS == FIELD_CELLS, "each input of a mux is a bit of the chain");

static const struct chain_end whole = {0, CHAIN_BYTES}; /* there is no chain that could be torn */

static struct board board;
static struct field field;

static void take_scan(void)
{
    const struct mux_scan *scan = muxes_scan();
    if (!scan)
        return;
    chip_alive();
    field_rests_pass(&board.rests, &field);
    field_scan(&field, scan->sums);
    field_report_scan(&board.fields, &field, scan->sums);
#if SUPPLY_TOLD
    board_supply(&board, scan->supply);
#endif
    uint32_t ms = scan->ms;
    uint16_t late_us = scan->late_us;
    muxes_release();
    board.scans_missed = muxes_missed();
    board_scan(&board, field.level, whole, ms, late_us);
}

static void take_bytes(uint32_t now_ms)
{
    uint8_t byte;
    for (uint8_t taken = 0; taken < BYTES_AT_ONCE && usb_take(&byte); taken++)
        board_receive(&board, byte, now_ms);
}

/* While no program has opened the line its frames are lost, as on a wire that nobody listens to. */
static void send(uint32_t now_ms, uint16_t past_us)
{
    static uint8_t wire[WIRE_MAX];
    static bool was_open;
    bool open = usb_open();
    if (open && !was_open)
        board_greet(&board);
    if (!open && was_open)
        board_darken(&board);
    was_open = open;
    if (open && !usb_ready())
        return;
    uint8_t size = board_next(&board, now_ms, past_us, wire);
    if (size && open)
        usb_send(wire, size);
}

static void show_lamp(uint32_t now_ms)
{
    if (board_lamp(&board, now_ms))
        SIO_OUT_SET = BIT(PIN_LAMP);
    else
        SIO_OUT_CLEAR = BIT(PIN_LAMP);
}

static void show_pixels(void)
{
    const uint8_t *colours = pixels_ready() ? board_pixels(&board) : 0;
    if (colours)
        pixels_send(colours);
}

static void show_drive(uint32_t now_ms)
{
    static bool wanted;
    static uint32_t wanted_ms;
    if (!usb_drive_wanted())
        return;
    if (!wanted)
        wanted_ms = now_ms;
    wanted = true;
    if (now_ms - wanted_ms >= DARK_MS)
        chip_show_drive();
}

/* An interrupt since the last `wfe` ends the next one at once, so nothing slips in between. */
static void rest(void)
{
    while (!muxes_scan() && !usb_news())
        __asm__ volatile("wfe");
}

int main(void)
{
    static char serial[FLASH_ID_DIGITS + 1];
    flash_id(serial);
    chip_start();
    board_start(&board, chip_reset_cause());
    field_start(&field);
    IO_CTRL(PIN_LAMP) = FUNCTION_SIO;
    SIO_DRIVE_SET = BIT(PIN_LAMP);
    chip_start_watchdog();
    muxes_start();
    pixels_start();
    usb_start(serial);
    for (;;) {
        uint32_t now_ms;
        uint16_t past_us;
        rest();
        take_scan();
        muxes_clock(&now_ms, &past_us);
        take_bytes(now_ms);
        show_lamp(now_ms);
        show_pixels();
        send(now_ms, past_us);
        show_drive(now_ms);
    }
}
