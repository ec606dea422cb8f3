/* WS2812 pixels in a row: a machine of PIO makes their pulses, the DMA feeds it. */
#ifndef PIXELS_H
#define PIXELS_H
#include <stdbool.h>
#include <stdint.h>

/* Sets up the machine; its pin is low. */
void pixels_start(void);

/* Whether the frame before has been sent and taken up. */
bool pixels_ready(void);

/* Begins to send red, green and blue of each of PIXELS pixels, which are copied. Only when ready. */
void pixels_send(const uint8_t *colours);

#endif
