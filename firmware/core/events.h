/* Changes that the host has not acknowledged yet, oldest first, each with a number. Knows no frames. */
#ifndef EVENTS_H
#define EVENTS_H
#include <stdbool.h>
#include <stdint.h>

#define EVENTS_MAX 160           /* room for every sensor of a board of 144 at once */
#define EVENT_AGE_MAX_MS 60000U  /* the stored 16 bits of the time are enough for 65 s */

struct event {
    uint16_t ms;            /* low bits of the scan number of the change */
    uint16_t sensor_and_on; /* chain bit * 2 + level */
};

struct events {
    struct event ring[EVENTS_MAX];
    uint16_t newest;  /* number of the newest change, kept or dropped */
    uint8_t first;    /* place of the oldest kept one */
    uint8_t kept;
    uint8_t sent;     /* how many of the kept ones were sent since the last rewind */
    bool overflow;    /* changes were dropped, and all are until `events_forget` */
    uint16_t dropped; /* since the start */
    uint16_t resent;
};

/* Number of the oldest kept change; newest + 1 where none is. */
uint16_t events_oldest(const struct events *e);

/* Stores a change, or drops it and everything kept once there is no room. */
void events_add(struct events *e, uint32_t ms, uint16_t sensor, bool on);

/* Forgets all changes up to `number`. False where that is none of the kept ones. */
bool events_ack(struct events *e, uint16_t number);

/* The next change to send, with its number and its full time; null where all were sent. */
const struct event *events_next(const struct events *e, uint32_t now_ms, uint16_t *number, uint32_t *ms);

/* Begins again with the oldest kept change. */
void events_rewind(struct events *e);

/* Drops everything where the oldest kept change is too old to tell its time. */
void events_expire(struct events *e, uint32_t now_ms);

/* Ends an overflow: a snapshot says it all. */
void events_forget(struct events *e);

#endif
