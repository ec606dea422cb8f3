#include "string.h"

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    char *out = to;
    for (const char *in = from; size; size--)
        *out++ = *in++;
    return to;
}

void *memset(void *at, int byte, size_t size)
{
    for (char *out = at; size; size--)
        *out++ = (char)byte;
    return at;
}
