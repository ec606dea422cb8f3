#include "link.h"

#include <string.h>

uint16_t crc16(uint16_t crc, uint8_t byte)
{
    /* The polynomial 0x1021, most significant bit first, without a table: four steps do a byte. */
    uint8_t x = (uint8_t)(crc >> 8) ^ byte;
    x ^= x >> 4;
    return (uint16_t)((uint16_t)(crc << 8) ^ ((uint16_t)x << 12) ^ ((uint16_t)x << 5) ^ x);
}

struct stuffer {
    uint8_t *wire;
    uint8_t end;  /* of what is written */
    uint8_t code; /* where the length of the running block goes */
};

static void stuff(struct stuffer *s, uint8_t byte)
{
    if (byte) {
        s->wire[s->end++] = byte;
        return;
    }
    s->wire[s->code] = s->end - s->code;
    s->code = s->end++;
}

uint8_t frame_pack(uint8_t *wire, uint8_t type, uint8_t seq, const void *body, uint8_t body_size, const void *tail,
                   uint8_t tail_size)
{
    struct stuffer s = {wire, 1, 0};
    const uint8_t head[2] = {type, seq};
    const struct {
        const uint8_t *at;
        uint8_t size;
    } parts[3] = {{head, 2}, {body, body_size}, {tail, tail_size}};
    uint16_t crc = 0xFFFF;
    for (uint8_t part = 0; part < 3; part++) {
        for (uint8_t i = 0; i < parts[part].size; i++) {
            crc = crc16(crc, parts[part].at[i]);
            stuff(&s, parts[part].at[i]);
        }
    }
    stuff(&s, (uint8_t)crc);
    stuff(&s, (uint8_t)(crc >> 8));
    wire[s.code] = s.end - s.code;
    wire[s.end++] = 0;
    return s.end;
}

static void keep(struct frame_reader *reader, uint8_t byte)
{
    if (reader->size == sizeof reader->raw)
        reader->broken = true;
    else
        reader->raw[reader->size++] = byte;
}

static enum frame_result finish(struct frame_reader *reader, uint8_t *body_size)
{
    uint8_t size = reader->size;
    bool empty = !reader->started;
    bool whole = !reader->broken && reader->block == 0 && size >= FRAME_OVERHEAD;
    reader->size = reader->block = 0;
    reader->zero_due = reader->started = reader->broken = false;
    if (empty)
        return FRAME_NONE; /* two zeros in a row are no fault */
    if (!whole)
        return FRAME_BAD;
    uint16_t crc = 0xFFFF;
    for (uint8_t i = 0; i < size - 2; i++)
        crc = crc16(crc, reader->raw[i]);
    if (reader->raw[size - 2] != (uint8_t)crc || reader->raw[size - 1] != (uint8_t)(crc >> 8))
        return FRAME_BAD;
    *body_size = size - FRAME_OVERHEAD;
    return FRAME_READY;
}

enum frame_result frame_take(struct frame_reader *reader, uint8_t byte, uint8_t *body_size)
{
    if (byte == 0)
        return finish(reader, body_size);
    if (reader->broken)
        return FRAME_NONE;
    if (reader->block) {
        reader->block--;
        keep(reader, byte);
        return FRAME_NONE;
    }
    if (reader->zero_due)
        keep(reader, 0);
    reader->started = true;
    reader->block = byte - 1;
    reader->zero_due = byte != 0xFF;
    return FRAME_NONE;
}
