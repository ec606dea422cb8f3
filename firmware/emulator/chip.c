#include "chip.h"

#include <stdarg.h>
#include <string.h>

#include "avr_adc.h"
#include "avr_ioport.h"
#include "avr_spi.h"
#include "avr_uart.h"
#include "sim_elf.h"

/* Data addresses of the ATmega328P's registers; avr/io.h cannot be included beside simavr's headers. */
enum {
    DDRB = 0x24,
    PORTB = 0x25,
    DDRD = 0x2A,
    PORTD = 0x2B,
    SPCR = 0x4C,
    SPSR = 0x4D,
    SPDR = 0x4E,
    MCUSR = 0x54,
    UCSR0A = 0xC0,
    UCSR0B = 0xC1,
    UBRR0L = 0xC4,
    UBRR0H = 0xC5,
    UDR0 = 0xC6,
};
enum { PIN_LATCH_A = 0, PIN_LATCH_B = 1, PIN_LOAD = 2, PIN_DATA = 4, PIN_SCK = 5, PIN_LAMP = 4 };
#define SUPPLY_MV 5000
enum { PORF = 1, EXTRF = 2 };
enum { SPI_ENABLED = 0x40, SPI_LSB_FIRST = 0x20, SPI_MASTER = 0x10, SPI_CPOL = 0x08, SPI_CPHA = 0x04 };

#define RECEIVER_ON 0x10 /* in UCSR0B */
#define BAUD 500000
#define BYTE_CYCLES (10 * 16000000 / BAUD)
#define EMULATED_BYTE_CYCLES (11 * 16000000 / BAUD) /* the emulated receiver counts a parity bit too */
#define LOOK_US 100                                 /* sleep may not jump further than this */
#define RX_DEPTH 3                                  /* two in the receiver's buffer, one on its way */
#define LOAD_LEAST_CYCLES 16
#define RAM_START 0x100
#define RAM_JUNK 0xC5

static void fail(struct chip *chip, const char *fault)
{
    if (!chip->fault)
        chip->fault = fault;
}

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

static void no_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr, (void)cycles;
}

uint64_t chip_now_us(const struct chip *chip)
{
    return chip->avr->cycle / CYCLES_PER_US;
}

/* ---- the chain at the SPI pins, edge by edge */

/* A wire in the air reads what its neighbours do, unless the pin pulls it up. */
static bool data_level(struct chip *chip)
{
    if (!chip->chain->loose)
        return chain_output(chip->chain);
    chip->noise = chip->noise * 1103515245 + 12345;
    return chip->avr->data[PORTB] >> PIN_DATA & 1 || chip->noise >> 30 & 1;
}

static uint8_t clock_byte(struct chip *chip)
{
    const uint8_t control = chip->avr->data[SPCR];
    const bool idle_high = control & SPI_CPOL, second_edge = control & SPI_CPHA;
    uint8_t byte = 0;
    for (unsigned bit = 0; bit < 8; bit++) {
        for (int edge = 0; edge < 2; edge++) {
            bool rising = (edge == 0) != idle_high, sampling = edge == second_edge;
            if (rising) { /* both see the level of before the edge */
                tracker_clock(&chip->tracker, chain_output(chip->chain));
                chain_clock(chip->chain);
            }
            if (rising && (sampling || edge == 0))
                fail(chip, "the 74HC165 shifts before its bit is taken or just then; use SPI mode 2");
            if (sampling && data_level(chip))
                byte |= control & SPI_LSB_FIRST ? 1 << bit : 0x80 >> bit;
        }
    }
    return byte;
}

static avr_cycle_count_t spi_done(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct chip *chip = param;
    (void)avr, (void)when;
    chip->transferring = false;
    avr_raise_irq(chip->spi_in, clock_byte(chip));
    return 0;
}

static void spi_write(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    struct chip *chip = param;
    static const uint8_t halvings[8] = {2, 4, 6, 7, 1, 3, 5, 6}; /* of the clock, by SPI2X, SPR1, SPR0 */
    const uint8_t control = avr->data[SPCR];
    avr->data[address] = value;
    avr->data[SPSR] &= 0x7F;
    if ((control & (SPI_ENABLED | SPI_MASTER)) != (SPI_ENABLED | SPI_MASTER))
        fail(chip, "a byte was written to an SPI that is not an enabled master");
    if (!(avr->data[DDRB] >> PIN_SCK & 1) || !(avr->data[DDRB] >> PIN_LOAD & 1))
        fail(chip, "SCK (D13) and PL (D10, which is SS) must be outputs before the SPI is used");
    if (chip->chain->loading)
        fail(chip, "the chain is clocked while PL is low, so it does not shift");
    if (chip->transferring)
        fail(chip, "a byte was written to the SPI while another was on its way");
    if (chip->hanging)
        return;
    chip->transferring = true;
    unsigned divider = 1U << halvings[(avr->data[SPSR] & 1) << 2 | (control & 3)];
    avr_cycle_timer_register(avr, 8 * divider, spi_done, chip);
}

/* Switched off, the SPI lets go of a byte that it never finished. */
static void spi_control(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    struct chip *chip = param;
    avr->data[address] = value;
    if (value & SPI_ENABLED)
        return;
    chip->hanging = chip->transferring = false;
    avr_cycle_timer_cancel(avr, spi_done, chip);
}

static void load_changed(avr_irq_t *irq, uint32_t value, void *param)
{
    struct chip *chip = param;
    (void)irq;
    bool low = !(value & 1);
    uint64_t now = chip->avr->cycle;
    if (chip->chain->loading && !low && now - chip->load_cycle < LOAD_LEAST_CYCLES)
        fail(chip, "PL is low for less than 1 us, which the far end of a long chain may not see");
    if (low)
        chip->load_cycle = now;
    if (chip->transferring)
        fail(chip, "PL moved while a byte was on its way");
    chain_set_load(chip->chain, low, chip_now_us(chip));
}

/* ---- the tracker at the latch and ADC pins */

void chip_settle_tracker(struct chip *chip)
{
    for (unsigned axis = 0; axis < TRACKER_AXES; axis++)
        avr_raise_irq(chip->adc_in + axis, tracker_millivolts(&chip->tracker, axis, SUPPLY_MV));
}

static void latch(struct chip *chip, unsigned tile, unsigned pin, bool high)
{
    if (high && chip->transferring)
        fail(chip, "the tracker was latched while a byte was on its way");
    if (high && !(chip->avr->data[DDRB] >> pin & 1))
        fail(chip, "D8 and D9 must be outputs before the tracker is latched");
    tracker_set_latch(&chip->tracker, tile, high);
    chip_settle_tracker(chip);
}

static void latch_a_changed(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    latch(param, 0, PIN_LATCH_A, value & 1);
}

static void latch_b_changed(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    latch(param, 1, PIN_LATCH_B, value & 1);
}

static avr_irq_t *port_b(struct chip *chip, unsigned pin)
{
    return avr_io_getirq(chip->avr, AVR_IOCTL_IOPORT_GETIRQ('B'), pin);
}

/* ---- the serial line */

static void uart_wrote(avr_irq_t *irq, uint32_t value, void *param)
{
    struct chip *chip = param;
    const uint8_t *data = chip->avr->data;
    (void)irq;
    unsigned divisor = (data[UCSR0A] & 2 ? 8 : 16) * ((data[UBRR0L] | (data[UBRR0H] & 0x0F) << 8) + 1U);
    if (16000000 / divisor != BAUD)
        fail(chip, "the serial line does not run at 500000 baud");
    avr_cycle_count_t now = chip->avr->cycle;
    chip->tx_end = (chip->tx_end > now ? chip->tx_end : now) + BYTE_CYCLES;
    if (chip->tx_head - chip->tx_tail < TX_QUEUE)
        chip->tx[chip->tx_head++ % TX_QUEUE] = (struct sent_byte){chip->tx_end, (uint8_t)value};
    else
        fail(chip, "more was sent than the emulator can hold; run in shorter steps");
}

size_t chip_sent(struct chip *chip, uint8_t *bytes, size_t size)
{
    size_t count = 0;
    while (count < size && chip->tx_tail != chip->tx_head) {
        const struct sent_byte *sent = &chip->tx[chip->tx_tail % TX_QUEUE];
        if (sent->end > chip->avr->cycle)
            break;
        bytes[count++] = sent->byte;
        chip->tx_tail++;
    }
    return count;
}

static uint8_t uart_take(avr_t *avr, avr_io_addr_t address, void *param)
{
    struct chip *chip = param;
    if (chip->rx_waiting)
        chip->rx_waiting--;
    return chip->uart_read(avr, address, chip->uart_read_param);
}

static avr_cycle_count_t uart_arrive(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct chip *chip = param;
    if (chip->rx_tail == chip->rx_head)
        return 0;
    uint8_t byte = chip->rx[chip->rx_tail++ % RX_QUEUE];
    if (chip->rx_waiting == RX_DEPTH) {
        chip->overruns++;
    } else if (avr->data[UCSR0B] & RECEIVER_ON) {
        chip->rx_waiting++;
        avr_raise_irq(chip->uart_in, byte);
    }
    return when + EMULATED_BYTE_CYCLES;
}

void chip_receive(struct chip *chip, const uint8_t *bytes, size_t size)
{
    if (!chip->powered)
        return;
    for (size_t i = 0; i < size && chip->rx_head - chip->rx_tail < RX_QUEUE; i++)
        chip->rx[chip->rx_head++ % RX_QUEUE] = bytes[i];
    if (!avr_cycle_timer_status(chip->avr, uart_arrive, chip))
        avr_cycle_timer_register(chip->avr, EMULATED_BYTE_CYCLES, uart_arrive, chip);
}

/* ---- power, reset, time */

static avr_cycle_count_t look(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr, (void)param;
    return when + LOOK_US * CYCLES_PER_US;
}

static void was_reset(avr_io_t *io)
{
    struct chip *chip = (struct chip *)((char *)io - offsetof(struct chip, io));
    if (!chip->may_reset)
        fail(chip, "the watchdog reset the chip: an old bootloader never comes out of that; let it interrupt");
    chip->rx_head = chip->rx_tail = chip->rx_waiting = 0;
    chip->transferring = chip->hanging = false;
    avr_cycle_timer_register(io->avr, LOOK_US * CYCLES_PER_US, look, chip);
}

static void reset(struct chip *chip, uint8_t cause)
{
    chip->may_reset = true;
    avr_reset(chip->avr);
    chip->may_reset = false;
    chip->avr->data[MCUSR] = cause;
}

const char *chip_start(struct chip *chip, const char *elf, struct chain *chain)
{
    elf_firmware_t firmware = {0};
    avr_global_logger_set(quiet);
    if (elf_read_firmware(elf, &firmware) != 0)
        return "the firmware cannot be read; run make firmware";
    avr_t *avr = avr_make_mcu_by_name("atmega328p");
    if (!avr)
        return "this simavr does not know the ATmega328P";
    chip->avr = avr;
    chip->chain = chain;
    avr_init(avr);
    avr_load_firmware(avr, &firmware);
    avr->frequency = 1000000 * CYCLES_PER_US;
    avr->sleep = no_sleep;
    chip->io.kind = "emulator";
    chip->io.reset = was_reset;
    avr_register_io(avr, &chip->io);

    uint32_t plain = 0; /* neither echo to the terminal nor sleep while polling */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &plain);
    chip->uart_in = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    chip->spi_in = avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), uart_wrote, chip);
    avr_irq_register_notify(port_b(chip, PIN_LOAD), load_changed, chip);

    tracker_start(&chip->tracker, chain->tracker_nodes);
    avr->vcc = avr->avcc = avr->aref = SUPPLY_MV;
    chip->adc_in = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0);
    avr_irq_register_notify(port_b(chip, PIN_LATCH_A), latch_a_changed, chip);
    avr_irq_register_notify(port_b(chip, PIN_LATCH_B), latch_b_changed, chip);

    /* Registering would add a second handler beside simavr's; these take its place. */
    chip->uart_read = avr->io[AVR_DATA_TO_IO(UDR0)].r.c;
    chip->uart_read_param = avr->io[AVR_DATA_TO_IO(UDR0)].r.param;
    avr->io[AVR_DATA_TO_IO(UDR0)].r.c = uart_take;
    avr->io[AVR_DATA_TO_IO(UDR0)].r.param = chip;
    avr->io[AVR_DATA_TO_IO(SPDR)].w.c = spi_write;
    avr->io[AVR_DATA_TO_IO(SPDR)].w.param = chip;
    avr->io[AVR_DATA_TO_IO(SPCR)].w.c = spi_control;
    avr->io[AVR_DATA_TO_IO(SPCR)].w.param = chip;
    chip_power(chip, true);
    return 0;
}

void chip_power(struct chip *chip, bool on)
{
    if (on && !chip->powered) {
        memset(chip->avr->data + RAM_START, RAM_JUNK, chip->avr->ramend + 1U - RAM_START);
        reset(chip, PORF);
    }
    chip->powered = on;
    if (!on)
        chip->tx_tail = chip->tx_head;
}

void chip_restart(struct chip *chip)
{
    if (!chip->powered)
        return;
    reset(chip, EXTRF);
}

void chip_run_until(struct chip *chip, avr_cycle_count_t cycle)
{
    if (!chip->powered) {
        if (chip->avr->cycle < cycle)
            chip->avr->cycle = cycle;
        return;
    }
    while (chip->avr->cycle < cycle && !chip->fault) {
        int state = avr_run(chip->avr);
        if (state == cpu_Done || state == cpu_Crashed)
            fail(chip, "the firmware stopped for good");
    }
}

unsigned chip_untouched(const struct chip *chip)
{
    unsigned longest = 0, run = 0;
    for (unsigned at = RAM_START; at <= chip->avr->ramend; at++) {
        run = chip->avr->data[at] == RAM_JUNK ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

bool chip_lamp(const struct chip *chip)
{
    return chip->avr->data[DDRD] & chip->avr->data[PORTD] & 1 << PIN_LAMP;
}
