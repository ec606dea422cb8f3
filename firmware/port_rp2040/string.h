/* What the core asks of the C library, as there is none here. */
#ifndef STRING_H
#define STRING_H
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *at, int byte, size_t size);

#endif
