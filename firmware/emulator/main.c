/* The emulated bench: the sensor board's firmware with its chain, commanded over a socket.
 *
 *   bench ELF SITES CONTROL-FD            lock-step: time passes only by `run`
 *   bench ELF SITES CONTROL-FD PTY-LINK   paced: real time, the serial line on a pseudo-terminal under that name
 *
 * CONTROL-FD is an open stream socket, inherited. One line a command, one line a reply: `ok ...` or `error SENTENCE`.
 * The bench ends with its client: when the socket closes.
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
#define STRETCH_US 5000           /* run at once while catching up, so that commands are still heard */
#define LATE_US 2000000           /* more than that is not caught up with */
#define RUN_MAX_US 60000000ULL

struct bench {
    struct chip chip;
    struct chain chain;
    int control;
    int master, slave; /* of the pseudo-terminal; -1 while unplugged. The slave is kept open so that clients may come and go */
    const char *link;  /* null in lock-step */
    char line[LINE_SIZE];
    size_t line_size;
};

static void reply(struct bench *bench, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        ssize_t wrote = write(bench->control, text, left);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            exit(0); /* the client is gone */
        text += wrote;
        left -= (size_t)wrote;
    }
}

/* ---- the serial line on a pseudo-terminal */

static const char *open_line(struct bench *bench)
{
    char name[128];
    struct termios raw;
    if (openpty(&bench->master, &bench->slave, name, 0, 0) != 0)
        return "no pseudo-terminal can be opened";
    tcgetattr(bench->slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(bench->slave, TCSANOW, &raw);
    fcntl(bench->master, F_SETFL, O_NONBLOCK);
    unlink(bench->link);
    if (symlink(name, bench->link) != 0)
        return "the name of the serial line cannot be made";
    return 0;
}

static void close_line(struct bench *bench)
{
    if (bench->master < 0)
        return;
    unlink(bench->link);
    close(bench->master);
    close(bench->slave);
    bench->master = bench->slave = -1;
}

static void exchange(struct bench *bench)
{
    uint8_t bytes[4096];
    size_t size;
    while ((size = chip_sent(&bench->chip, bytes, sizeof bytes)) > 0) {
        if (bench->master >= 0 && write(bench->master, bytes, size) < 0)
            continue; /* nobody reads: lost, as on a wire */
    }
    ssize_t got = bench->master >= 0 ? read(bench->master, bytes, sizeof bytes) : 0;
    if (got > 0)
        chip_receive(&bench->chip, bytes, (size_t)got);
}

/* ---- commands; each returns a sentence where it failed, else null */

static const char *read_on(const char *word, bool *on)
{
    *on = strcmp(word, "on") == 0;
    return *on || strcmp(word, "off") == 0 ? 0 : "say on or off";
}

static const char *change(struct bench *bench, const char *site, const char *word, unsigned count, unsigned period_us)
{
    struct input *input = chain_find(&bench->chain, site);
    bool on;
    const char *fault = read_on(word, &on);
    if (!input)
        return "there is no such site";
    if (fault || (input->on == on && !count))
        return fault;
    input->on = on;
    input->bounces = count;
    input->bounce_us = period_us;
    input->changed_us = chip_now_us(&bench->chip);
    return 0;
}

static const char *stick(struct bench *bench, const char *site, const char *word)
{
    struct input *input = chain_find(&bench->chain, site);
    bool on = false;
    const char *fault = strcmp(word, "free") == 0 ? 0 : read_on(word, &on);
    if (!input)
        return "there is no such site";
    if (!fault)
        input->stuck = strcmp(word, "free") == 0 ? FREE : on ? STUCK_ON : STUCK_OFF;
    return fault;
}

static const char *cut(struct bench *bench, const char *where, const char *level)
{
    unsigned registers = 0;
    chain_mend(&bench->chain);
    if (strcmp(where, "free") == 0)
        return 0;
    if (sscanf(where, "%u", &registers) != 1 || registers > bench->chain.length / 8)
        return "there is no such register";
    bench->chain.cut_after = registers * 8;
    bench->chain.cut_level = strcmp(level, "low") != 0;
    bench->chain.loose = strcmp(level, "loose") == 0;
    if (bench->chain.loose && registers)
        return "only the wire to the chip can hang loose: cut 0 loose";
    return 0;
}

static const char *plug(struct bench *bench, bool in)
{
    chip_power(&bench->chip, in);
    if (!bench->link)
        return 0;
    if (!in)
        close_line(bench);
    return in && bench->master < 0 ? open_line(bench) : 0;
}

static const char *receive(struct bench *bench, const char *hex)
{
    uint8_t bytes[LINE_SIZE / 2];
    size_t size = 0;
    for (unsigned byte; sscanf(hex + 2 * size, "%2x", &byte) == 1; size++)
        bytes[size] = (uint8_t)byte;
    if (size * 2 != strlen(hex))
        return "say pairs of hexadecimal digits";
    chip_receive(&bench->chip, bytes, size);
    return 0;
}

/* Replies by itself: the time in microseconds and the bytes sent meanwhile. */
static const char *run(struct bench *bench, const char *word)
{
    char *end;
    unsigned long long us = strtoull(word, &end, 10);
    if (bench->link)
        return "run is for lock-step; here real time passes";
    if (*end || end == word || us > RUN_MAX_US)
        return "say how many microseconds, at most 60000000";
    static avr_cycle_count_t target; /* what one run overshoots, the next one does not run */
    target = (target ? target : bench->chip.avr->cycle) + us * CYCLES_PER_US;
    chip_run_until(&bench->chip, target);
    if (bench->chip.fault)
        return bench->chip.fault;
    static uint8_t bytes[TX_QUEUE];
    static char text[2 * TX_QUEUE + 64];
    size_t count = chip_sent(&bench->chip, bytes, sizeof bytes);
    int at = sprintf(text, "ok %llu ", (unsigned long long)chip_now_us(&bench->chip));
    for (size_t i = 0; i < count; i++)
        at += sprintf(text + at, "%02x", bytes[i]);
    strcpy(text + at, "\n");
    reply(bench, text);
    return 0;
}

static const char *stats(struct bench *bench)
{
    char text[160];
    sprintf(text, "ok now_us=%llu untouched_ram=%u overruns=%u lamp=%d\n",
            (unsigned long long)chip_now_us(&bench->chip), chip_untouched(&bench->chip), bench->chip.overruns,
            chip_lamp(&bench->chip));
    reply(bench, text);
    return 0;
}

typedef char words[5][LINE_SIZE];

static const char *do_set(struct bench *b, words w) { return change(b, w[1], w[2], 0, 0); }
static const char *do_bounce(struct bench *b, words w)
{
    return change(b, w[1], w[2], (unsigned)atoi(w[3]), (unsigned)atoi(w[4]));
}
static const char *do_stick(struct bench *b, words w) { return stick(b, w[1], w[2]); }
static const char *do_cut(struct bench *b, words w) { return cut(b, w[1], w[2]); }
static const char *do_tracker(struct bench *b, words w)
{
    const char *fault = tracker_fault(&b->chip.tracker, w[1], w[2], w[3], w[4]);
    chip_settle_tracker(&b->chip);
    return fault;
}
static const char *do_plug(struct bench *b, words w) { return plug(b, w[0][0] == 'p'); }
static const char *do_uart(struct bench *b, words w) { return receive(b, w[1]); }
static const char *do_run(struct bench *b, words w) { return run(b, w[1]); }
static const char *do_stats(struct bench *b, words w) { return (void)w, stats(b); }
static const char *do_restart(struct bench *b, words w) { return (void)w, chip_restart(&b->chip), NULL; }
static const char *do_hang(struct bench *b, words w)
{
    (void)w;
    b->chip.hanging = true;
    return 0;
}
static const char *do_quit(struct bench *b, words w)
{
    (void)w;
    reply(b, "ok\n");
    close_line(b);
    exit(0);
}

static const struct {
    const char *name;
    const char *(*run)(struct bench *, words);
    bool replies; /* by itself, where all is well */
} commands[] = {
    {"set", do_set, false},         {"bounce", do_bounce, false}, {"stick", do_stick, false},
    {"cut", do_cut, false},         {"plug", do_plug, false},     {"unplug", do_plug, false},
    {"restart", do_restart, false}, {"hang", do_hang, false},     {"uart", do_uart, false},
    {"run", do_run, true},          {"stats", do_stats, true},    {"quit", do_quit, true},
    {"tracker", do_tracker, false},
};

static void obey(struct bench *bench, char *line)
{
    static words word;
    memset(word, 0, sizeof word);
    sscanf(line, "%s %s %s %s %s", word[0], word[1], word[2], word[3], word[4]);
    const char *fault = "there is no such command";
    bool replies = false;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(word[0], commands[i].name) != 0)
            continue;
        bool halted = bench->chip.fault && commands[i].run != do_quit; /* said again, whatever the command */
        fault = halted ? bench->chip.fault : commands[i].run(bench, word);
        replies = commands[i].replies;
    }
    if (replies && !fault)
        return;
    reply(bench, fault ? "error " : "ok");
    reply(bench, fault ? fault : "");
    reply(bench, "\n");
}

/* Reads what is there and obeys whole lines; the end of the stream is the end of the bench. */
static void listen_once(struct bench *bench)
{
    ssize_t got = read(bench->control, bench->line + bench->line_size, LINE_SIZE - 1 - bench->line_size);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (got <= 0) {
        close_line(bench);
        exit(0);
    }
    bench->line_size += (size_t)got;
    bench->line[bench->line_size] = 0;
    char *start = bench->line, *end;
    while ((end = strchr(start, '\n'))) {
        *end = 0;
        obey(bench, start);
        start = end + 1;
    }
    bench->line_size -= (size_t)(start - bench->line);
    memmove(bench->line, start, bench->line_size);
    if (bench->line_size == LINE_SIZE - 1)
        exit(1); /* no command is that long */
}

static int64_t real_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void run_paced(struct bench *bench)
{
    int64_t from_ns = real_ns();
    avr_cycle_count_t from_cycle = bench->chip.avr->cycle, target = from_cycle;
    for (;;) {
        bool behind = target > bench->chip.avr->cycle;
        struct pollfd watched[2] = {{bench->control, POLLIN, 0}, {bench->master, POLLIN, 0}};
        struct timespec slice = {0, behind ? 0 : SLICE_NS};
        if (ppoll(watched, 2, &slice, 0) > 0 && watched[0].revents)
            listen_once(bench);
        int64_t now_ns = real_ns();
        avr_cycle_count_t cycle = bench->chip.avr->cycle;
        target = from_cycle + (avr_cycle_count_t)(now_ns - from_ns) * CYCLES_PER_US / 1000;
        if (target > cycle + (avr_cycle_count_t)LATE_US * CYCLES_PER_US) {
            from_ns = now_ns;
            from_cycle = target = cycle;
        }
        avr_cycle_count_t stretch = cycle + STRETCH_US * CYCLES_PER_US;
        chip_run_until(&bench->chip, target < stretch ? target : stretch);
        exchange(bench);
        if (bench->chip.fault) /* time stands still; the next command is told why */
            from_cycle = target = bench->chip.avr->cycle, from_ns = real_ns();
    }
}

int main(int count, char **arguments)
{
    static struct bench bench;
    if (count != 4 && count != 5) {
        fprintf(stderr, "usage: bench ELF SITES CONTROL-FD [PTY-LINK]\n");
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    bench.control = atoi(arguments[3]);
    bench.link = arguments[4];
    bench.master = bench.slave = -1;
    const char *fault = chain_read(&bench.chain, arguments[2]);
    if (!fault)
        fault = chip_start(&bench.chip, arguments[1], &bench.chain);
    if (!fault && bench.link)
        fault = open_line(&bench);
    if (fault) {
        reply(&bench, "error ");
        reply(&bench, fault);
        reply(&bench, "\n");
        return 1;
    }
    reply(&bench, "ok\n");
    if (bench.link)
        run_paced(&bench);
    for (;;)
        listen_once(&bench);
}
