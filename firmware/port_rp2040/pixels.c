#include "pixels.h"

#include "link.h"
#include "registers.h"

#define PIN 16
#define CHANNEL 1 /* of the DMA */
#define DIVIDER 6 /* 48 MHz to 8 MHz: 125 ns a cycle, ten of them a bit */
#define PIXEL_BITS 24
#define PIXEL_US 30
#define TAKE_UP_US 300 /* low, by which pixels know the end of a frame; 280 at least */

#define DELAY(cycles) ((cycles) << 8)
#define PIN_LOW 0xE000UL
#define PIN_HIGH 0xE001UL
#define PIN_IS_OUTPUT 0xE081UL
#define NEXT_BIT_TO_X 0x6021UL
#define X_TO_PIN 0xA001UL
#define AUTOPULL BIT(17)
#define PULL_AT_SHIFT 25
#define PULL_AT_MASK 31UL
#define LAST_SHIFT 12
#define ENABLE BIT(0)
#define RESTART BIT(4) /* which also has the machine ask for a first word */
#define ONE_PIN_TO_SET (1UL << 26)
#define ONE_PIN_OUT (1UL << 20)
#define SET_PIN_SHIFT 5

_Static_assert(PIXELS > 0 && PIXELS < 256, "a board with this chip has its pixels there: lights = [...]");

/* Low, then high for 250 ns, then 625 ns the bit itself. While there is no next bit the pin stays low. */
static const uint16_t program[] = {
    PIN_LOW | DELAY(1),
    NEXT_BIT_TO_X,
    PIN_HIGH | DELAY(1),
    X_TO_PIN | DELAY(4),
};
#define PROGRAM_SIZE (sizeof program / sizeof *program)

static uint32_t words[PIXELS];
static uint32_t begun_us;

void pixels_start(void)
{
    for (uint32_t at = 0; at < PROGRAM_SIZE; at++)
        PIO_PROGRAM(at) = program[at];
    PIO_DIVIDER = (uint32_t)DIVIDER << 16;
    PIO_WRAP = (PROGRAM_SIZE - 1) << LAST_SHIFT;
    PIO_SHIFT = AUTOPULL | (PIXEL_BITS & PULL_AT_MASK) << PULL_AT_SHIFT;
    PIO_PINS = ONE_PIN_TO_SET | ONE_PIN_OUT | PIN << SET_PIN_SHIFT | PIN;
    PIO_EXECUTE = PIN_LOW;
    PIO_EXECUTE = PIN_IS_OUTPUT;
    IO_CTRL(PIN) = FUNCTION_PIO0;
    PIO_CTRL = ENABLE | RESTART;
    begun_us = TIMER_LOW;
}

bool pixels_ready(void)
{
    return TIMER_LOW - begun_us > PIXELS * PIXEL_US + TAKE_UP_US;
}

void pixels_send(const uint8_t *colours)
{
    for (uint32_t pixel = 0; pixel < PIXELS; pixel++, colours += PIXEL_BYTES)
        words[pixel] = (uint32_t)colours[1] << 24 | (uint32_t)colours[0] << 16 | (uint32_t)colours[2] << 8;
    DMA_READ(CHANNEL) = (uintptr_t)words;
    DMA_WRITE(CHANNEL) = (uintptr_t)&PIO_SEND;
    DMA_COUNT(CHANNEL) = PIXELS;
    begun_us = TIMER_LOW;
    DMA_CTRL_START(CHANNEL) = DMA_ON | DMA_WORDS | DMA_INCREASE_READ | CHANNEL << DMA_CHAIN_SHIFT |
                              PACE_PIO0_TX0 << DMA_PACE_SHIFT | DMA_QUIET;
}
