#include "tracker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLOATING_MV 1234 /* what a pin reads that nothing drives: anything, so something of no level */

void tracker_start(struct tracker *tracker, unsigned nodes)
{
    memset(tracker, 0, sizeof *tracker);
    tracker->nodes = nodes;
    tracker->stored[0] = 0x5A; /* at power-on a 74HC595 holds anything */
    tracker->stored[1] = 0x33;
    for (unsigned axis = 0; axis < TRACKER_AXES; axis++)
        for (unsigned node = 0; node < TRACKER_NODES; node++)
            tracker->ohms[axis][node] = ADDING_OHMS;
}

void tracker_clock(struct tracker *tracker, bool level)
{
    tracker->shift = (uint8_t)(tracker->shift << 1 | (level && !tracker->data_cut));
}

void tracker_set_latch(struct tracker *tracker, unsigned tile, bool high)
{
    if (high && !tracker->latch[tile] && !tracker->latch_cut[tile])
        tracker->stored[tile] = tracker->shift;
    tracker->latch[tile] = high;
}

/* Node 0 came first of eight bits and has gone through to Q7. */
static bool output(const struct tracker *tracker, unsigned tile, unsigned node)
{
    enum drive drive = tracker->output[tile][node];
    return drive == WORKS ? tracker->stored[tile] >> (7 - node) & 1 : drive == HIGH;
}

static bool gate(const struct tracker *tracker, unsigned axis, unsigned node)
{
    enum drive drive = tracker->gate[axis][node];
    unsigned facing = (2 * axis + tracker->nodes / 2 + tracker->nodes - node) % tracker->nodes;
    return drive == WORKS ? output(tracker, 0, node) != output(tracker, 1, facing) : drive == HIGH;
}

uint32_t tracker_millivolts(const struct tracker *tracker, unsigned axis, unsigned supply_mv)
{
    double siemens = 0, amperes = 0; /* of all resistors into a node at 0 V */
    if (tracker->pin_cut[axis] || 2 * axis >= tracker->nodes)
        return FLOATING_MV;
    for (unsigned node = 0; node < tracker->nodes; node++) {
        double one = 1 / (tracker->ohms[axis][node] + GATE_OHMS);
        siemens += one;
        amperes += gate(tracker, axis, node) ? supply_mv / 1000.0 * one : 0;
    }
    return siemens > 0 ? (uint32_t)lround(1000 * amperes / siemens) : FLOATING_MV;
}

static const char *read_drive(const char *word, enum drive *drive)
{
    static const char *const words[] = {[WORKS] = "free", [LOW] = "low", [HIGH] = "high"};
    for (enum drive each = WORKS; each <= HIGH; each++) {
        if (strcmp(word, words[each]) == 0) {
            *drive = each;
            return 0;
        }
    }
    return "say high, low or free";
}

static const char *read_ohms(const char *word, double *ohms)
{
    char *end;
    double value = strtod(word, &end);
    if (strcmp(word, "free") == 0)
        *ohms = ADDING_OHMS;
    else if (strcmp(word, "open") == 0)
        *ohms = INFINITY;
    else if (*word && !*end && value >= 0)
        *ohms = value;
    else
        return "say ohms, open or free";
    return 0;
}

static const char *read_cut(const char *word, bool *is_cut)
{
    *is_cut = strcmp(word, "cut") == 0;
    return *is_cut || strcmp(word, "free") == 0 ? 0 : "say cut or free";
}

static unsigned number(const char *word)
{
    return *word >= '0' && *word <= '9' && !word[1] ? (unsigned)(*word - '0') : 99;
}

const char *tracker_fault(struct tracker *tracker, const char *part, const char *first, const char *second,
                          const char *third)
{
    unsigned tile = strcmp(first, "A") == 0 ? 0 : strcmp(first, "B") == 0 ? 1 : 2;
    unsigned axis = number(first), node = number(second);
    bool has_tile = tile < 2, has_axis = 2 * axis < tracker->nodes, has_node = node < tracker->nodes;
    if (!tracker->nodes)
        return "this board has no tracker";
    if (strcmp(part, "data") == 0)
        return read_cut(first, &tracker->data_cut);
    if (strcmp(part, "latch") == 0 && has_tile)
        return read_cut(second, &tracker->latch_cut[tile]);
    if (strcmp(part, "pin") == 0 && has_axis)
        return read_cut(second, &tracker->pin_cut[axis]);
    if (strcmp(part, "output") == 0 && has_tile && has_node)
        return read_drive(third, &tracker->output[tile][node]);
    if (strcmp(part, "gate") == 0 && has_axis && has_node)
        return read_drive(third, &tracker->gate[axis][node]);
    if (strcmp(part, "resistor") == 0 && has_axis && has_node)
        return read_ohms(third, &tracker->ohms[axis][node]);
    return "the tracker has no such part";
}
