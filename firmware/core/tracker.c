#include "tracker.h"

static const struct pair adjacencies[] = TRACKER_TABLE;

static bool begin(struct tracker *t, bool round, uint16_t every_ms, uint32_t now_ms)
{
    t->round = round;
    t->active = true;
    t->every_ms = every_ms;
    t->due_ms = now_ms;
    t->next = TRACKER_PAIRS;
    t->latched = t->full = false; /* what was read before was asked for before */
    return true;
}

bool tracker_watch(struct tracker *t, struct pair pair, uint16_t every_ms, uint32_t now_ms)
{
    if (!TRACKER_PAIRS || pair.a >= CHAIN_BYTES || pair.b >= CHAIN_BYTES || pair.a == pair.b)
        return false;
    t->watched = pair;
    return begin(t, false, every_ms, now_ms);
}

bool tracker_watch_round(struct tracker *t, uint16_t every_ms, uint32_t now_ms)
{
    return TRACKER_PAIRS && begin(t, true, every_ms, now_ms);
}

bool tracker_wants(const struct tracker *t, uint32_t now_ms, struct pair *pair)
{
    if (!t->active || t->latched || t->full)
        return false;
    bool running = t->round && t->next != TRACKER_PAIRS;
    if (!running && (int32_t)(now_ms - t->due_ms) < 0)
        return false;
    *pair = t->round ? adjacencies[running ? t->next : 0] : t->watched;
    return true;
}

void tracker_latched(struct tracker *t, struct pair pair, const uint8_t *raw, uint32_t ms)
{
    bool begins = !t->round || t->next == TRACKER_PAIRS;
    if (begins) {
        t->due_ms += t->every_ms;
        if ((int32_t)(ms - t->due_ms) >= 0)
            t->due_ms = ms + t->every_ms; /* it fell behind: asked for faster than it can be */
    }
    if (t->round)
        t->next = begins ? 1 : t->next + 1;
    if (!t->every_ms && (!t->round || t->next == TRACKER_PAIRS))
        t->active = false;
    t->reading.t_us = ms * 1000U;
    t->reading.register_a = pair.a;
    t->reading.register_b = pair.b;
    t->reading.bits_a = raw[pair.a];
    t->reading.bits_b = raw[pair.b];
    t->latched = true;
}

void tracker_measured(struct tracker *t, const uint16_t *counts)
{
    if (!t->latched) /* another pair was asked for meanwhile */
        return;
    t->reading.axis_0 = counts[0];
    t->reading.axis_1 = counts[1];
    t->reading.axis_2 = counts[2];
    t->latched = false;
    t->full = true;
}
