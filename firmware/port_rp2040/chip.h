/* The chip itself: clocks, watchdog, why it started. Knows no pins. */
#ifndef CHIP_H
#define CHIP_H
#include <stdint.h>

/* Runs the chip at 48 MHz from its crystal of 12 MHz and the timer in microseconds, and lets the peripherals go. */
void chip_start(void);

/* Why the chip started, made of the RESET_ bits of the link. */
uint8_t chip_reset_cause(void);

/* Begins to watch; without `chip_alive` for 250 ms the chip starts anew. */
void chip_start_watchdog(void);
void chip_alive(void);

/* Becomes the drive that takes other firmware, as with the button pressed at the start. Does not return. */
void chip_show_drive(void);

#endif
