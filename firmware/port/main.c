/* ATmega328P at 16 MHz: the pins, the clock and the serial line of the sensor board. Everything else is in core/.
 *
 * D13 SCK and D12 MISO read a chain of 74HC165, D10 is their load pin PL, D0 and D1 the serial line, D4 a lamp. D8 and
 * D9 latch the tracker's two 74HC595, which listen to the chain; A0 to A2 measure its axes.
 * A 74HC165 shifts on the rising clock edge, so the bits are taken on the falling one: SPI mode 2.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/delay.h>

#include "board.h"

#define BAUD 500000UL
#define BAUD_DIVISOR (F_CPU / 8 / BAUD - 1)
_Static_assert(F_CPU / 8 % BAUD == 0, "the serial line must run at exactly its rate");

#define TIMER_COUNTS_PER_US 2 /* timer 1 runs at F_CPU / 8 */
#define SCANS_PER_S 1000
#define LOAD_US 1 /* of PL; a 74HC165 wants 24 ns at its own pin */
#define RX_SIZE 64 /* a power of two */

#define PIN_LATCH_A PB0
#define PIN_LATCH_B PB1
#define PIN_LOAD PB2
#define PIN_DATA PB4
#define PIN_LAMP PD4

#if LINEAR
#error "linear hall sensors are read by an RP2040: say chip = 'rp2040' in the board's file"
#endif
static const uint8_t used[CHAIN_BYTES] PROGMEM = CHAIN_USED;

static struct board board;
static uint8_t raw[CHAIN_BYTES];
static struct chain_end end;
static uint16_t level_counts[TRACKER_CHANNELS];
static uint8_t channel = TRACKER_AXES; /* that the ADC converts; TRACKER_AXES while it rests */

static volatile uint32_t clock_ms;
static volatile uint32_t latched_ms;
static volatile uint16_t latched_counts; /* of the timer, after its millisecond */
static volatile bool latched;            /* the chain holds a scan that was not read yet */
static volatile uint16_t scans_missed;

static volatile uint8_t rx[RX_SIZE], rx_head, rx_tail;
static volatile uint16_t rx_lost;
static uint8_t tx[WIRE_MAX];
static volatile uint8_t tx_size, tx_at;

static uint8_t reset_flags __attribute__((section(".noinit")));
static uint8_t loader_flags __attribute__((section(".noinit")));
static uint16_t hung __attribute__((section(".noinit")));
#define HUNG 0xB17E

/* The watchdog only interrupts: a reset by it would run the old bootloader, which leaves it on and never comes to an end.
 * So the firmware begins anew by itself. What waits for ever does so with interrupts on. */
ISR(WDT_vect, ISR_NAKED)
{
    hung = HUNG;
    __asm__ volatile("clr r1\n\tjmp 0");
}

static void start_watchdog(void)
{
    wdt_reset();
    WDTCSR = _BV(WDCE) | _BV(WDE);
    WDTCSR = _BV(WDIE) | _BV(WDP2); /* 250 ms */
}

static uint8_t reset_cause(void)
{
    uint8_t seen = reset_flags ? reset_flags : loader_flags;
    bool by_watchdog = hung == HUNG && !reset_flags;
    hung = 0;
    return by_watchdog ? RESET_WATCHDOG : seen & 0x0F;
}

/* Before the watchdog bites again. A bootloader that clears MCUSR hands the old value over in r2. */
void keep_reset_flags(void) __attribute__((naked, used, section(".init3")));
void keep_reset_flags(void)
{
    __asm__ volatile("sts %0, r2" ::"i"(&loader_flags));
    reset_flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

ISR(TIMER1_COMPA_vect)
{
    clock_ms++;
    if (latched) { /* loading now would spoil the scan that is being read */
        if (scans_missed < UINT16_MAX)
            scans_missed++;
        return;
    }
    PORTB &= (uint8_t)~_BV(PIN_LOAD);
    _delay_us(LOAD_US); /* the line to the last register is metres long: docs/chain-figures.md */
    PORTB |= _BV(PIN_LOAD);
    latched_counts = TCNT1;
    latched_ms = clock_ms;
    latched = true;
}

ISR(USART_RX_vect)
{
    bool overrun = UCSR0A & _BV(DOR0);
    uint8_t byte = UDR0;
    uint8_t head = rx_head;
    bool full = (uint8_t)(head - rx_tail) == RX_SIZE;
    if ((overrun || full) && rx_lost < UINT16_MAX)
        rx_lost++;
    if (full)
        return;
    rx[head % RX_SIZE] = byte;
    rx_head = head + 1; /* only now may it be read */
}

ISR(USART_UDRE_vect)
{
    uint8_t at = tx_at;
    if (at == tx_size) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        return;
    }
    UDR0 = tx[at];
    tx_at = at + 1;
}

EMPTY_INTERRUPT(ADC_vect) /* only wakes */

static void start_hardware(void)
{
    SPCR = UCSR0B = ADCSRA = 0; /* after a hang they are still as they were */
    PORTB |= _BV(PIN_LOAD) | _BV(PIN_DATA); /* pulled up, a torn data wire reads high past the chain's end too */
    DDRB |= _BV(PIN_LOAD) | _BV(PB3) | _BV(PB5);
    DDRD |= _BV(PIN_LAMP);
    SPCR = _BV(SPE) | _BV(DORD) | _BV(MSTR) | _BV(CPOL) | _BV(SPR0); /* mode 2, 1 MHz, first bit lowest */

    TCCR1B = _BV(WGM12) | _BV(CS11);
    OCR1A = F_CPU / 8 / SCANS_PER_S - 1;
    TIMSK1 = _BV(OCIE1A);

    UCSR0A = _BV(U2X0); /* before the divisor */
    UBRR0 = BAUD_DIVISOR;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);

    if (TRACKER_PAIRS) {
        DDRB |= _BV(PIN_LATCH_A) | _BV(PIN_LATCH_B);
        DIDR0 = _BV(TRACKER_AXES) - 1; /* between two levels a digital input would draw current */
        ADCSRA = _BV(ADEN) | _BV(ADIE) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0); /* 125 kHz, 104 us a conversion */
    }

    set_sleep_mode(SLEEP_MODE_IDLE);
    start_watchdog();
}

static void read_clock(uint32_t *ms, uint16_t *past_us)
{
    cli();
    uint32_t now = clock_ms;
    uint16_t counts = TCNT1;
    if (TIFR1 & _BV(OCF1A)) { /* a millisecond passed since cli */
        now++;
        counts = TCNT1;
    }
    sei();
    *ms = now;
    *past_us = counts / TIMER_COUNTS_PER_US;
}

static uint8_t read_byte(void)
{
    SPDR = 0;
    while (!(SPSR & _BV(SPIF)))
        ;
    return SPDR;
}

static void read_chain(uint8_t from, uint8_t to)
{
    if (from == to)
        return;
    SPDR = 0;
    for (uint8_t at = from; at < to; at++) {
        while (!(SPSR & _BV(SPIF)))
            ;
        uint8_t bits = SPDR;
        if (at + 1 < to)
            SPDR = 0; /* the next byte streams in while this one is stored */
        if (!ACTIVE_LOW || bits) /* an open input, so data come from as far as here */
            end.closed_from = at + 1;
        raw[at] = (ACTIVE_LOW ? (uint8_t)~bits : bits) & pgm_read_byte(&used[at]);
    }
}

static void latch(uint8_t pin)
{
    PORTB |= (uint8_t)_BV(pin);
    PORTB &= (uint8_t)~_BV(pin);
}

/* Reads the chain with a halt after the register of each tile, for the tracker to keep what has just passed it. */
static void read_chain_for(struct pair pair)
{
    bool a_first = pair.a < pair.b;
    uint8_t first = a_first ? pair.a : pair.b, second = a_first ? pair.b : pair.a;
    read_chain(0, first + 1);
    latch(a_first ? PIN_LATCH_A : PIN_LATCH_B);
    read_chain(first + 1, second + 1);
    latch(a_first ? PIN_LATCH_B : PIN_LATCH_A);
    read_chain(second + 1, CHAIN_BYTES);
}

static void convert(void)
{
    ADMUX = _BV(REFS0) | channel; /* the supply is the reference, so that it does not matter */
    ADCSRA |= _BV(ADSC);
}

static bool converted(void)
{
    return channel != TRACKER_AXES && !(ADCSRA & _BV(ADSC));
}

static void take_level(void)
{
    if (!converted())
        return;
    level_counts[channel++] = ADC;
    if (channel != TRACKER_AXES)
        convert();
    else
        tracker_measured(&board.tracker, level_counts);
}

static void take_scan(void)
{
    struct pair pair = {0, 0};
    if (!latched)
        return;
    end.closed_from = 0;
    bool tracked = TRACKER_PAIRS && channel == TRACKER_AXES && tracker_wants(&board.tracker, latched_ms, &pair);
    if (tracked)
        read_chain_for(pair);
    else
        read_chain(0, CHAIN_BYTES);
    end.past = read_byte();
    cli();
    uint32_t ms = latched_ms;
    uint16_t late_us = latched_counts / TIMER_COUNTS_PER_US;
    board.scans_missed = scans_missed;
    latched = false;
    sei();
    if (tracked) {
        tracker_latched(&board.tracker, pair, raw, ms);
        channel = 0;
        convert();
    }
    board_scan(&board, raw, end, ms, late_us);
}

static void take_bytes(uint32_t now_ms)
{
    while (rx_head != rx_tail) {
        uint8_t tail = rx_tail;
        uint8_t byte = rx[tail % RX_SIZE];
        rx_tail = tail + 1;
        board_receive(&board, byte, now_ms);
    }
    cli();
    board.bytes_lost = rx_lost;
    sei();
}

/* Whether a frame is on its way. */
static bool send(uint32_t now_ms, uint16_t past_us)
{
    if (tx_at != tx_size)
        return true;
    uint8_t size = board_next(&board, now_ms, past_us, tx);
    if (!size)
        return false;
    cli();
    tx_at = 0;
    tx_size = size; /* the bytes are in place */
    UCSR0B |= _BV(UDRIE0);
    sei();
    return true;
}

static void rest(bool sending)
{
    cli();
    bool sent = sending && tx_at == tx_size;
    if (!latched && rx_head == rx_tail && !sent && !converted()) {
        sleep_enable();
        sei(); /* takes effect after the next instruction, so nothing slips in between */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

int main(void)
{
    board_start(&board, reset_cause());
    start_hardware();
    sei();
    for (;;) {
        uint32_t now_ms;
        uint16_t past_us;
        wdt_reset();
        take_scan();
        take_level();
        read_clock(&now_ms, &past_us);
        take_bytes(now_ms);
        if (board_lamp(&board, now_ms))
            PORTD |= _BV(PIN_LAMP);
        else
            PORTD &= (uint8_t)~_BV(PIN_LAMP);
        rest(send(now_ms, past_us));
    }
}
