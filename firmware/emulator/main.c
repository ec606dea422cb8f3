/* the emulator: the sensor board's firmware with its chain, commanded over a socket.
 *
 *   emulator ELF SITES CONTROL-FD            lock-step: time passes only by `run`
 *   emulator ELF SITES CONTROL-FD PTY-LINK   paced: real time, the serial line on a pseudo-terminal under that name
 *
 * CONTROL-FD is an open stream socket, inherited. One line a command, one line a reply: `ok ...` or `error SENTENCE`.
 * The emulator ends with its client: when the socket closes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chip.h"

#define LINE_SIZE 20000
#define SLICE_NS 500000L          /* of real time when paced */
#define HAND_US 700               /* from one magnet to the next when paced: three within a scan are no hands */
#define STRETCH_US 5000           /* run at once while catching up, so that commands are still heard */
#define LATE_US 2000000           /* more than that is not caught up with */
#define RUN_MAX_US 60000000ULL

struct emulator {
    struct chip chip;
    struct chain chain;
    int control;
    int master, slave; /* of the pseudo-terminal; -1 while unplugged. The slave is kept open so that clients may come and go */
    const char *link;  /* null in lock-step */
    char line[LINE_SIZE];
    size_t line_size;
    avr_cycle_count_t hand_until; /* the cycle before which the hand that set a magnet sets no other */
};

static void reply(struct emulator *emulator, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        ssize_t wrote = write(emulator->control, text, left);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            exit(0); /* the client is gone */
        text += wrote;
        left -= (size_t)wrote;
    }
}

/* ---- the serial line on a pseudo-terminal */

static const char *open_line(struct emulator *emulator)
{
    char name[128];
    struct termios raw;
    if (openpty(&emulator->master, &emulator->slave, name, 0, 0) != 0)
        return "no pseudo-terminal can be opened";
    tcgetattr(emulator->slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(emulator->slave, TCSANOW, &raw);
    fcntl(emulator->master, F_SETFL, O_NONBLOCK);
    unlink(emulator->link);
    if (symlink(name, emulator->link) != 0)
        return "the name of the serial line cannot be made";
    return 0;
}

static void close_line(struct emulator *emulator)
{
    if (emulator->master < 0)
        return;
    unlink(emulator->link);
    close(emulator->master);
    close(emulator->slave);
    emulator->master = emulator->slave = -1;
}

static void exchange(struct emulator *emulator)
{
    uint8_t bytes[4096];
    size_t size;
    while ((size = chip_sent(&emulator->chip, bytes, sizeof bytes)) > 0) {
        if (emulator->master >= 0 && write(emulator->master, bytes, size) < 0)
            continue; /* nobody reads: lost, as on a wire */
    }
    ssize_t got = emulator->master >= 0 ? read(emulator->master, bytes, sizeof bytes) : 0;
    if (got > 0)
        chip_receive(&emulator->chip, bytes, (size_t)got);
}

/* ---- commands; each returns a sentence where it failed, else null */

static const char *read_on(const char *word, bool *on)
{
    *on = strcmp(word, "on") == 0;
    return *on || strcmp(word, "off") == 0 ? 0 : "say on or off";
}

static const char *change(struct emulator *emulator, const char *site, const char *word, unsigned count, unsigned period_us)
{
    struct input *input = chain_find(&emulator->chain, site);
    bool on;
    const char *fault = read_on(word, &on);
    if (!input)
        return "there is no such site";
    if (fault || (input->on == on && !count))
        return fault;
    input->on = on;
    input->bounces = count;
    input->bounce_us = period_us;
    input->changed_us = chip_now_us(&emulator->chip);
    return 0;
}

static const char *stick(struct emulator *emulator, const char *site, const char *word)
{
    struct input *input = chain_find(&emulator->chain, site);
    bool on = false;
    const char *fault = strcmp(word, "free") == 0 ? 0 : read_on(word, &on);
    if (!input)
        return "there is no such site";
    if (!fault)
        input->stuck = strcmp(word, "free") == 0 ? FREE : on ? STUCK_ON : STUCK_OFF;
    return fault;
}

static const char *cut(struct emulator *emulator, const char *where, const char *level)
{
    unsigned registers = 0;
    chain_mend(&emulator->chain);
    if (strcmp(where, "free") == 0)
        return 0;
    if (sscanf(where, "%u", &registers) != 1 || registers > emulator->chain.length / 8)
        return "there is no such register";
    emulator->chain.cut_after = registers * 8;
    emulator->chain.cut_level = strcmp(level, "low") != 0;
    emulator->chain.loose = strcmp(level, "loose") == 0;
    if (emulator->chain.loose && registers)
        return "only the wire to the chip can hang loose: cut 0 loose";
    return 0;
}

static const char *plug(struct emulator *emulator, bool in)
{
    chip_power(&emulator->chip, in);
    if (!emulator->link)
        return 0;
    if (!in)
        close_line(emulator);
    return in && emulator->master < 0 ? open_line(emulator) : 0;
}

static const char *receive(struct emulator *emulator, const char *hex)
{
    uint8_t bytes[LINE_SIZE / 2];
    size_t size = 0;
    for (unsigned byte; sscanf(hex + 2 * size, "%2x", &byte) == 1; size++)
        bytes[size] = (uint8_t)byte;
    if (size * 2 != strlen(hex))
        return "say pairs of hexadecimal digits";
    chip_receive(&emulator->chip, bytes, size);
    return 0;
}

/* Replies by itself: the time in microseconds and the bytes sent meanwhile. */
static const char *run(struct emulator *emulator, const char *word)
{
    char *end;
    unsigned long long us = strtoull(word, &end, 10);
    if (emulator->link)
        return "run is for lock-step; here real time passes";
    if (*end || end == word || us > RUN_MAX_US)
        return "say how many microseconds, at most 60000000";
    static avr_cycle_count_t target; /* what one run overshoots, the next one does not run */
    target = (target ? target : emulator->chip.avr->cycle) + us * CYCLES_PER_US;
    chip_run_until(&emulator->chip, target);
    if (emulator->chip.fault)
        return emulator->chip.fault;
    static uint8_t bytes[TX_QUEUE];
    static char text[2 * TX_QUEUE + 64];
    size_t count = chip_sent(&emulator->chip, bytes, sizeof bytes);
    int at = sprintf(text, "ok %llu ", (unsigned long long)chip_now_us(&emulator->chip));
    for (size_t i = 0; i < count; i++)
        at += sprintf(text + at, "%02x", bytes[i]);
    strcpy(text + at, "\n");
    reply(emulator, text);
    return 0;
}

static const char *stats(struct emulator *emulator)
{
    char text[160];
    sprintf(text, "ok now_us=%llu untouched_ram=%u overruns=%u lamp=%d\n",
            (unsigned long long)chip_now_us(&emulator->chip), chip_untouched(&emulator->chip), emulator->chip.overruns,
            chip_lamp(&emulator->chip));
    reply(emulator, text);
    return 0;
}

typedef char words[5][LINE_SIZE];

static const char *do_set(struct emulator *b, words w)
{
    b->hand_until = b->chip.avr->cycle + HAND_US * CYCLES_PER_US;
    return change(b, w[1], w[2], 0, 0);
}
static const char *do_bounce(struct emulator *b, words w)
{
    return change(b, w[1], w[2], (unsigned)atoi(w[3]), (unsigned)atoi(w[4]));
}
static const char *do_stick(struct emulator *b, words w) { return stick(b, w[1], w[2]); }
static const char *do_cut(struct emulator *b, words w) { return cut(b, w[1], w[2]); }
static const char *do_tracker(struct emulator *b, words w)
{
    const char *fault = tracker_fault(&b->chip.tracker, w[1], w[2], w[3], w[4]);
    chip_settle_tracker(&b->chip);
    return fault;
}
static const char *do_plug(struct emulator *b, words w) { return plug(b, w[0][0] == 'p'); }
static const char *do_uart(struct emulator *b, words w) { return receive(b, w[1]); }
static const char *do_run(struct emulator *b, words w) { return run(b, w[1]); }
static const char *do_stats(struct emulator *b, words w) { return (void)w, stats(b); }
static const char *do_restart(struct emulator *b, words w) { return (void)w, chip_restart(&b->chip), NULL; }
static const char *do_hang(struct emulator *b, words w)
{
    (void)w;
    b->chip.hanging = true;
    return 0;
}
static const char *do_quit(struct emulator *b, words w)
{
    (void)w;
    reply(b, "ok\n");
    close_line(b);
    exit(0);
}

static const struct {
    const char *name;
    const char *(*run)(struct emulator *, words);
    bool replies; /* by itself, where all is well */
} commands[] = {
    {"set", do_set, false},         {"bounce", do_bounce, false}, {"stick", do_stick, false},
    {"cut", do_cut, false},         {"plug", do_plug, false},     {"unplug", do_plug, false},
    {"restart", do_restart, false}, {"hang", do_hang, false},     {"uart", do_uart, false},
    {"run", do_run, true},          {"stats", do_stats, true},    {"quit", do_quit, true},
    {"tracker", do_tracker, false},
};

static void obey(struct emulator *emulator, char *line)
{
    static words word;
    memset(word, 0, sizeof word);
    sscanf(line, "%s %s %s %s %s", word[0], word[1], word[2], word[3], word[4]);
    const char *fault = "there is no such command";
    bool replies = false;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(word[0], commands[i].name) != 0)
            continue;
        bool halted = emulator->chip.fault && commands[i].run != do_quit; /* said again, whatever the command */
        fault = halted ? emulator->chip.fault : commands[i].run(emulator, word);
        replies = commands[i].replies;
    }
    if (replies && !fault)
        return;
    reply(emulator, fault ? "error " : "ok");
    reply(emulator, fault ? fault : "");
    reply(emulator, "\n");
}

/* Reads what is there and obeys whole lines; the end of the stream is the end of the emulator. */
static void listen_once(struct emulator *emulator)
{
    ssize_t got = read(emulator->control, emulator->line + emulator->line_size, LINE_SIZE - 1 - emulator->line_size);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (got <= 0) {
        close_line(emulator);
        exit(0);
    }
    emulator->line_size += (size_t)got;
    emulator->line[emulator->line_size] = 0;
    char *start = emulator->line, *end;
    while ((end = strchr(start, '\n'))) {
        *end = 0;
        obey(emulator, start);
        start = end + 1;
    }
    emulator->line_size -= (size_t)(start - emulator->line);
    memmove(emulator->line, start, emulator->line_size);
    if (emulator->line_size == LINE_SIZE - 1)
        exit(1); /* no command is that long */
}

static int64_t real_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void run_paced(struct emulator *emulator)
{
    int64_t from_ns = real_ns();
    avr_cycle_count_t from_cycle = emulator->chip.avr->cycle, target = from_cycle;
    for (;;) {
        bool behind = target > emulator->chip.avr->cycle;
        bool busy = emulator->chip.avr->cycle < emulator->hand_until && !emulator->chip.fault;
        struct pollfd watched[2] = {{busy ? -1 : emulator->control, POLLIN, 0}, {emulator->master, POLLIN, 0}};
        struct timespec slice = {0, behind ? 0 : SLICE_NS};
        if (ppoll(watched, 2, &slice, 0) > 0 && watched[0].revents)
            listen_once(emulator);
        int64_t now_ns = real_ns();
        avr_cycle_count_t cycle = emulator->chip.avr->cycle;
        target = from_cycle + (avr_cycle_count_t)(now_ns - from_ns) * CYCLES_PER_US / 1000;
        if (target > cycle + (avr_cycle_count_t)LATE_US * CYCLES_PER_US) {
            from_ns = now_ns;
            from_cycle = target = cycle;
        }
        avr_cycle_count_t stretch = cycle + STRETCH_US * CYCLES_PER_US;
        chip_run_until(&emulator->chip, target < stretch ? target : stretch);
        exchange(emulator);
        if (emulator->chip.fault) /* time stands still; the next command is told why */
            from_cycle = target = emulator->chip.avr->cycle, from_ns = real_ns();
    }
}

int main(int count, char **arguments)
{
    static struct emulator emulator;
    if (count != 4 && count != 5) {
        fprintf(stderr, "usage: emulator ELF SITES CONTROL-FD [PTY-LINK]\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    emulator.control = atoi(arguments[3]);
    emulator.link = arguments[4];
    emulator.master = emulator.slave = -1;
    const char *fault = chain_read(&emulator.chain, arguments[2]);
    if (!fault)
        fault = chip_start(&emulator.chip, arguments[1], &emulator.chain);
    if (!fault && emulator.link)
        fault = open_line(&emulator);
    if (fault) {
        reply(&emulator, "error ");
        reply(&emulator, fault);
        reply(&emulator, "\n");
        return 1;
    }
    reply(&emulator, "ok\n");
    if (emulator.link)
        run_paced(&emulator);
    for (;;)
        listen_once(&emulator);
}
