/* The emulated ATmega328P with the chain at its SPI pins and bytes at its serial pins. Knows no sockets. */
#ifndef CHIP_H
#define CHIP_H
#include <stddef.h>
#include <stdint.h>

#include "chain.h"
#include "sim_avr.h"
#include "tracker.h"

#define CYCLES_PER_US 16
#define RX_QUEUE 8192
#define TX_QUEUE 65536

struct sent_byte {
    avr_cycle_count_t end; /* of its stop bit */
    uint8_t byte;
};

struct chip {
    avr_t *avr;
    avr_io_t io; /* only to be told of resets */
    avr_irq_t *spi_in, *uart_in;
    avr_io_read_t uart_read;
    void *uart_read_param;
    struct chain *chain;
    struct tracker tracker;
    avr_irq_t *adc_in; /* of channel 0, then the next ones */
    uint8_t rx[RX_QUEUE];
    unsigned rx_head, rx_tail;
    unsigned rx_waiting; /* bytes given to the receiver that the firmware did not take yet */
    unsigned overruns;
    struct sent_byte tx[TX_QUEUE];
    unsigned tx_head, tx_tail;
    avr_cycle_count_t tx_end;
    bool powered;
    bool hanging;           /* the SPI never finishes a byte */
    bool transferring;
    bool may_reset;         /* the reset pin or the power, not the watchdog */
    uint64_t load_cycle;    /* when PL went low */
    uint32_t noise;
    const char *fault;      /* the first thing that would not work on a real board */
};

/* Starts the firmware of that ELF file; returns a sentence where that failed, else null. */
const char *chip_start(struct chip *chip, const char *elf, struct chain *chain);

void chip_power(struct chip *chip, bool on);
void chip_restart(struct chip *chip);
uint64_t chip_now_us(const struct chip *chip);

/* Runs until that cycle or a fault. */
void chip_run_until(struct chip *chip, avr_cycle_count_t cycle);

/* Gives bytes to the serial line; they arrive at its speed. */
void chip_receive(struct chip *chip, const uint8_t *bytes, size_t size);

/* Takes up to `size` bytes whose stop bit is over. */
size_t chip_sent(struct chip *chip, uint8_t *bytes, size_t size);

/* Bytes of RAM that were never written since the power came on: what the stack has left. */
unsigned chip_untouched(const struct chip *chip);

/* Brings the tracker's levels to the ADC, after a fault was put in. */
void chip_settle_tracker(struct chip *chip);

/* Whether the lamp at D4 shines. */
bool chip_lamp(const struct chip *chip);

#endif
