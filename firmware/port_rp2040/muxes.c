#include "muxes.h"

#include <stdbool.h>

#include "field_table.h"
#include "registers.h"

#define PIN_ADDRESS 2 /* and the next three */
#define ADDRESS_BITS 0xFUL
#define PIN_ENABLE 6 /* of the first group, and the next ones; low where it is to answer */
#define ENABLE_PINS (MUX_GROUPS > 1 ? MUX_GROUPS : 0) /* a single group has its E on ground */
#define LINE_PULL (MUX_GROUPS > 1 ? PAD_PULL_DOWN : 0) /* a line whose tile is missing reads 0, and not anything */
#define ENABLE_BITS ((BIT(ENABLE_PINS) - 1) << PIN_ENABLE)
#define PIN_ANALOG 26 /* and the next two; the one behind them has what the supply offers */
#define SUPPLY_INPUT MUXES
#define MS_US 1000
#define SLOT_US 60 /* sixteen of them, and the rest for the sums of the last one */
#define READ_US 50 /* what READINGS take */
#define SOON_US 3  /* an alarm for a time that has passed would come in 71 minutes */
#define CHANNEL 0  /* of the DMA */
#define READINGS (MUXES * FIELD_READINGS)
#define ROUND (BIT(MUXES) - 1)

_Static_assert(READINGS * 2 < READ_US && READ_US < SLOT_US, "the ADC takes 2 us a reading");

static uint16_t readings[READINGS]; /* of the running slot, one of each mux in turn */
static struct mux_scan scans[2];
static uint8_t running;     /* of the two; the other one is finished */
static volatile bool fresh; /* the finished one was not taken yet */
static volatile uint16_t missed;
static uint8_t group; /* that is being read */
static uint8_t slot; /* of it, that the next alarm begins; MUX_INPUTS ends the group */
static volatile uint32_t clock_ms;
static volatile uint32_t ms_began_us;

static void set_address(uint32_t address)
{
    SIO_OUT_TOGGLE = (SIO_OUT ^ address << PIN_ADDRESS) & ADDRESS_BITS << PIN_ADDRESS;
}

/* One at a time: all are off before the next is on, as they share their outputs. */
static void enable_group(void)
{
    if (!ENABLE_BITS)
        return;
    SIO_OUT_SET = ENABLE_BITS;
    SIO_OUT_CLEAR = BIT(PIN_ENABLE + group);
}

/* Adds up while the ADC ends the conversion that nobody wants, and the muxes settle on the next input. */
static void add_up(uint8_t input)
{
    uint16_t *sums = scans[running].sums + group * GROUP_INPUTS + input;
    uint32_t sum_0 = 0, sum_1 = 0, sum_2 = 0; /* in one pass: sixteen thousand times a second */
    for (const uint16_t *at = readings; at < readings + READINGS; at += MUXES) {
        sum_0 += at[0];
        sum_1 += at[1];
        sum_2 += at[2];
    }
    sums[0] = (uint16_t)sum_0;
    sums[MUX_INPUTS] = (uint16_t)sum_1;
    sums[2 * MUX_INPUTS] = (uint16_t)sum_2;
}

static void read_inputs(void)
{
    while (!(ADC_CS & ADC_READY))
        ;
    while (!(ADC_FCS & ADC_FIFO_EMPTY))
        (void)ADC_FIFO;
    DMA_WRITE(CHANNEL) = (uintptr_t)readings;
    DMA_COUNT(CHANNEL) = READINGS;
    DMA_CTRL_START(CHANNEL) = DMA_ON | DMA_HALFWORDS | DMA_INCREASE_WRITE | CHANNEL << DMA_CHAIN_SHIFT |
                              PACE_ADC << DMA_PACE_SHIFT | DMA_QUIET;
    ADC_CS = ADC_POWERED | ROUND << ADC_ROUND_SHIFT | ADC_START_MANY; /* from input 0 on */
}

/* The muxes have no use for the ADC any more in this scan. It needs 2 us. */
static void read_supply(void)
{
    while (!(ADC_CS & ADC_READY))
        ;
    ADC_CS = ADC_POWERED | SUPPLY_INPUT << ADC_INPUT_SHIFT | ADC_START_ONE;
    while (!(ADC_CS & ADC_READY))
        ;
    scans[running].supply = (uint16_t)ADC_RESULT;
}

static void wake_at(uint32_t due_us, uint32_t least_us)
{
    uint32_t soonest_us = TIMER_LOW + least_us;
    TIMER_ALARM0 = (int32_t)(due_us - soonest_us) > 0 ? due_us : soonest_us;
}

static void end_scan(void)
{
    if (fresh) {
        missed += missed < UINT16_MAX;
        return;
    }
    running ^= 1;
    fresh = true;
}

static void begin_group(void)
{
    uint32_t due_us = ms_began_us + MS_US;
    clock_ms++;
    if (group == 0) {
        scans[running].late_us = (uint16_t)(TIMER_LOW - due_us);
        scans[running].ms = clock_ms;
    }
    ms_began_us = due_us;
    enable_group();
}

static void end_group(void)
{
    slot = 0;
    if (++group < MUX_GROUPS)
        return;
    group = 0;
    read_supply();
    end_scan();
}

/* Alarm 0 of the timer, SLOT_US after the one before; a new group begins with each millisecond. */
void take_slot(void)
{
    TIMER_INTR = BIT(0);
    ADC_CS = ADC_POWERED | ROUND << ADC_ROUND_SHIFT;
    if (slot == 0)
        begin_group();
    if (slot < MUX_INPUTS)
        set_address(slot);
    if (slot > 0)
        add_up(slot - 1);
    if (slot < MUX_INPUTS) {
        read_inputs();
        slot++;
        wake_at(ms_began_us + slot * SLOT_US, READ_US);
    } else {
        end_group();
        wake_at(ms_began_us + MS_US, SOON_US);
    }
}

void muxes_start(void)
{
    for (uint8_t pin = PIN_ADDRESS; pin < PIN_ADDRESS + 4; pin++)
        IO_CTRL(pin) = FUNCTION_SIO;
    SIO_DRIVE_SET = ADDRESS_BITS << PIN_ADDRESS;
    SIO_OUT_SET = ENABLE_BITS;
    for (uint8_t pin = PIN_ENABLE; pin < PIN_ENABLE + ENABLE_PINS; pin++)
        IO_CTRL(pin) = FUNCTION_SIO;
    SIO_DRIVE_SET = ENABLE_BITS;
    for (uint8_t pin = PIN_ANALOG; pin <= PIN_ANALOG + SUPPLY_INPUT; pin++)
        PAD(pin) = PAD_OUTPUT_OFF | (pin < PIN_ANALOG + MUXES ? LINE_PULL : 0);
    ADC_CS = ADC_POWERED;
    ADC_FCS = ADC_FIFO_ON | ADC_FIFO_DREQ | 1UL << ADC_FIFO_LEAST_SHIFT;
    DMA_READ(CHANNEL) = (uintptr_t)&ADC_FIFO;
    while (!(ADC_CS & ADC_READY))
        ;
    ms_began_us = TIMER_LOW;
    TIMER_INTE = BIT(0);
    TIMER_ALARM0 = ms_began_us + MS_US;
    NVIC_ENABLE = BIT(IRQ_TIMER0);
}

const struct mux_scan *muxes_scan(void)
{
    return fresh ? &scans[running ^ 1] : 0;
}

void muxes_release(void)
{
    fresh = false;
}

uint16_t muxes_missed(void)
{
    return missed;
}

void muxes_clock(uint32_t *ms, uint16_t *past_us)
{
    interrupts_off();
    uint32_t past = TIMER_LOW - ms_began_us;
    *ms = clock_ms;
    interrupts_on();
    if (past >= MS_US) { /* the next one waits for its interrupt */
        (*ms)++;
        past -= MS_US;
    }
    *past_us = (uint16_t)past;
}
