/* The daisy chain of 74HC165 with the switches at its inputs and what can go wrong with them. Knows no processor. */
#ifndef CHAIN_H
#define CHAIN_H
#include <stdbool.h>
#include <stdint.h>

#define CHAIN_MAX 512
#define NAME_SIZE 32

enum stuck { FREE, STUCK_OFF, STUCK_ON };

struct input {
    char name[NAME_SIZE]; /* of the site; empty where none is wired */
    bool on;              /* a magnet is there */
    enum stuck stuck;
    uint32_t bounces, bounce_us; /* after the last change: how often, and how long each half lasts */
    uint64_t changed_us;
};

struct chain {
    struct input input[CHAIN_MAX];
    unsigned length;
    unsigned tracker_nodes; /* of a shell at the tracker; 0 where the board has none */
    bool level[CHAIN_MAX]; /* electrical, as loaded; a closed switch pulls low */
    unsigned shifted;      /* clock edges since loading */
    bool loading;          /* PL is low */
    bool floating;         /* what an input without a sensor reads next */
    unsigned cut_after;    /* bits that still arrive */
    bool cut_level;
    bool loose;            /* the wire to MISO hangs in the air: it has the level of a pull-up, if there is one */
};

/* Reads the length, the tracker's nodes and the lines NAME BIT; returns a sentence where that failed, else null. */
const char *chain_read(struct chain *chain, const char *path);

/* The data wires are whole again. */
void chain_mend(struct chain *chain);

/* The input at that site, or null. */
struct input *chain_find(struct chain *chain, const char *site);

void chain_set_load(struct chain *chain, bool low, uint64_t now_us);

/* A rising edge on CP. */
void chain_clock(struct chain *chain);

/* The level at the end of the chain that is wired to MISO. */
bool chain_output(const struct chain *chain);

#endif
