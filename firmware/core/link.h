/* Frames on the serial line: COBS between zero bytes, type, sequence number, CRC-16. Knows no message and no port. */
#ifndef LINK_H
#define LINK_H
#include <stdbool.h>
#include <stdint.h>

#include "board_table.h"
#include "messages.h"

#ifndef PIXELS
#define PIXELS 0 /* that hang on this chip, and not on the Pi */
#endif

#define FRAME_OVERHEAD 4                              /* type, sequence number, CRC */
#define FRAME_MAX (BODY_MAX + FRAME_OVERHEAD)         /* before stuffing; one COBS block */
#define WIRE_MAX (FRAME_MAX + 2)                      /* stuffed, with the closing zero */
/* The longest body that the host sends. */
#define HOST_BODY_MAX                                                         \
    (PIXELS  ? sizeof(struct msg_pixels) + PIXELS_AT_ONCE * PIXEL_BYTES       \
     : LINEAR ? sizeof(struct msg_rests) + RESTS_AT_ONCE * REST_BYTES          \
             : 8)

uint16_t crc16(uint16_t crc, uint8_t byte);

/* Writes the frame's bytes on the line to `wire` (WIRE_MAX bytes) and returns how many they are. */
uint8_t frame_pack(uint8_t *wire, uint8_t type, uint8_t seq, const void *body, uint8_t body_size, const void *tail,
                   uint8_t tail_size);

/* Reads frames byte by byte. Start with all zero. */
struct frame_reader {
    uint8_t raw[HOST_BODY_MAX + FRAME_OVERHEAD];
    uint8_t size;    /* of what is in raw */
    uint8_t block;   /* bytes left in the COBS block */
    bool zero_due;   /* the next block begins with a zero that was taken out */
    bool started;
    bool broken;     /* nothing more of this frame counts */
};

enum frame_result { FRAME_NONE, FRAME_READY, FRAME_BAD };

/* Takes one byte of the line. After FRAME_READY, raw[0] is the type, raw[1] the sequence number, then the body, and
 * `*body_size` its length; they stay until the next call. */
enum frame_result frame_take(struct frame_reader *reader, uint8_t byte, uint8_t *body_size);

#endif
