/* A serial line over USB (communication device class, abstract control model). Knows no frames. */
#ifndef USB_H
#define USB_H
#include <stdbool.h>
#include <stdint.h>

/* Shows the device to the host, by its `serial` number; "" where it has none. */
void usb_start(const char *serial);

/* Whether anything has happened since this was last asked, or bytes are there. */
bool usb_news(void);

/* Whether a program on the host has opened the line. */
bool usb_open(void);

/* Whether a program has opened the line at 1200 baud and let go of it: so computers ask for the drive. */
bool usb_drive_wanted(void);

/* Takes the next byte that came; false where there is none. */
bool usb_take(uint8_t *byte);

/* Whether `usb_send` may be called: nothing is on its way any more. */
bool usb_ready(void);

/* Sends 1 to 255 bytes, which are copied. */
void usb_send(const uint8_t *bytes, uint8_t size);

#endif
