#include "chain.h"

#include <stdio.h>
#include <string.h>

const char *chain_read(struct chain *chain, const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return "the list of sites cannot be read; run make firmware";
    const char *fault = 0;
    char name[NAME_SIZE];
    unsigned bit;
    if (fscanf(file, "%u %u", &chain->length, &chain->tracker_nodes) != 2 || chain->length > CHAIN_MAX || chain->length % 8)
        fault = "the list of sites does not begin with a chain length and a tracker";
    while (!fault && fscanf(file, "%31s %u", name, &bit) == 2) {
        if (bit >= chain->length)
            fault = "the list of sites has a bit beyond the chain";
        else
            strcpy(chain->input[bit].name, name);
    }
    if (!fault && !feof(file))
        fault = "the list of sites has a line that is not NAME BIT";
    fclose(file);
    chain_mend(chain);
    return fault;
}

void chain_mend(struct chain *chain)
{
    chain->cut_after = chain->length;
    chain->cut_level = chain->loose = false; /* the end lies on ground */
}

struct input *chain_find(struct chain *chain, const char *site)
{
    for (unsigned bit = 0; bit < chain->length; bit++)
        if (chain->input[bit].name[0] && strcmp(chain->input[bit].name, site) == 0)
            return &chain->input[bit];
    return 0;
}

static bool closed(const struct input *input, uint64_t now_us)
{
    if (input->stuck != FREE)
        return input->stuck == STUCK_ON;
    uint64_t half = input->bounce_us ? (now_us - input->changed_us) / input->bounce_us : 0;
    bool away = half < 2 * (uint64_t)input->bounces && half % 2;
    return input->on != away;
}

void chain_set_load(struct chain *chain, bool low, uint64_t now_us)
{
    if (chain->loading && !low) {
        /* An open input without a resistor may read anything: the firmware must not care. */
        chain->floating = !chain->floating;
        for (unsigned bit = 0; bit < chain->length; bit++) {
            const struct input *input = &chain->input[bit];
            chain->level[bit] = input->name[0] ? !closed(input, now_us) : chain->floating;
            if (bit >= chain->cut_after)
                chain->level[bit] = chain->cut_level;
        }
        chain->shifted = 0;
    }
    chain->loading = low;
}

void chain_clock(struct chain *chain)
{
    if (!chain->loading)
        chain->shifted++;
}

bool chain_output(const struct chain *chain)
{
    return chain->shifted < chain->length ? chain->level[chain->shifted] : chain->cut_level;
}
