#include "events.h"

static uint8_t place(const struct events *e, uint8_t index)
{
    uint16_t at = (uint16_t)e->first + index;
    return (uint8_t)(at < EVENTS_MAX ? at : at - EVENTS_MAX);
}

static void count(uint16_t *counter, uint16_t by)
{
    *counter = *counter > UINT16_MAX - by ? UINT16_MAX : *counter + by;
}

static void drop_all(struct events *e)
{
    count(&e->dropped, e->kept);
    e->kept = e->sent = 0;
    e->overflow = true;
}

uint16_t events_oldest(const struct events *e)
{
    return (uint16_t)(e->newest + 1 - e->kept);
}

void events_add(struct events *e, uint32_t ms, uint16_t sensor, bool on)
{
    e->newest++;
    if (!e->overflow && e->kept == EVENTS_MAX)
        drop_all(e);
    if (e->overflow) {
        count(&e->dropped, 1);
        return;
    }
    struct event *event = &e->ring[place(e, e->kept)];
    event->ms = (uint16_t)ms;
    event->sensor_and_on = (uint16_t)(sensor << 1 | on);
    e->kept++;
}

bool events_ack(struct events *e, uint16_t number)
{
    uint16_t acked = (uint16_t)(number + 1 - events_oldest(e));
    if (acked == 0 || acked > e->kept)
        return false;
    e->first = place(e, (uint8_t)acked);
    e->kept -= (uint8_t)acked;
    e->sent = e->sent > acked ? (uint8_t)(e->sent - acked) : 0;
    return true;
}

const struct event *events_next(const struct events *e, uint32_t now_ms, uint16_t *number, uint32_t *ms)
{
    if (e->sent == e->kept)
        return 0;
    const struct event *event = &e->ring[place(e, e->sent)];
    *number = (uint16_t)(events_oldest(e) + e->sent);
    *ms = now_ms - (uint16_t)((uint16_t)now_ms - event->ms);
    return event;
}

void events_rewind(struct events *e)
{
    count(&e->resent, e->sent);
    e->sent = 0;
}

void events_expire(struct events *e, uint32_t now_ms)
{
    if (e->kept && (uint16_t)((uint16_t)now_ms - e->ring[e->first].ms) > EVENT_AGE_MAX_MS)
        drop_all(e);
}

void events_forget(struct events *e)
{
    e->overflow = false;
}
