/* The shell-cost tracker: two 74HC595 that listen to the chain, gates that compare nodes, resistors that add the gates up;
 * and what can go wrong with each. Knows no processor. */
#ifndef TRACKER_H
#define TRACKER_H
#include <stdbool.h>
#include <stdint.h>

#define TRACKER_AXES 3
#define TRACKER_NODES 6
#define ADDING_OHMS 10000.0
#define GATE_OHMS 50.0

enum drive { WORKS, LOW, HIGH };

struct tracker {
    unsigned nodes;    /* of a shell, 0 where there is no tracker */
    uint8_t shift;     /* in both 74HC595, which hear the same; the newest bit is Q0 */
    uint8_t stored[2]; /* by tile, A and B */
    bool latch[2];
    bool latch_cut[2];
    bool data_cut;
    enum drive output[2][TRACKER_NODES]; /* of a 74HC595, by node */
    enum drive gate[TRACKER_AXES][TRACKER_NODES];
    double ohms[TRACKER_AXES][TRACKER_NODES]; /* infinite where open */
    bool pin_cut[TRACKER_AXES];
};

void tracker_start(struct tracker *tracker, unsigned nodes);

/* A rising edge of the chain's clock while its data is at that level. */
void tracker_clock(struct tracker *tracker, bool level);

void tracker_set_latch(struct tracker *tracker, unsigned tile, bool high);

/* What the ADC pin of an axis sees. */
uint32_t tracker_millivolts(const struct tracker *tracker, unsigned axis, unsigned supply_mv);

/* Puts a fault in; returns a sentence where the words are none, else null. The words:
 *   output A|B NODE high|low|free    gate AXIS NODE high|low|free    resistor AXIS NODE OHMS|open|free
 *   latch A|B cut|free               pin AXIS cut|free               data cut|free */
const char *tracker_fault(struct tracker *tracker, const char *part, const char *first, const char *second,
                          const char *third);

#endif
