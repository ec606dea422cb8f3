#include "flash_id.h"

#include <stdbool.h>

#include "registers.h"

#define READ_UNIQUE_ID 0x4B
#define HEAD_BYTES 5 /* the command, and four that say nothing */
#define ID_BYTES (FLASH_ID_DIGITS / 2)
#define BYTES (HEAD_BYTES + ID_BYTES) /* the interface holds sixteen */

/* Both ways; the flash is selected from the first byte to the last. */
static void exchange(uint8_t *bytes)
{
    SSI_ENABLE = 0;
    SSI_CTRLR0 = SSI_BYTES;
    SSI_SELECT = 1;
    SSI_ENABLE = 1;
    QSPI_SELECT_CTRL = SELECT_LOW;
    for (uint8_t i = 0; i < BYTES; i++)
        SSI_DATA = bytes[i];
    for (uint8_t i = 0; i < BYTES; i++) {
        while (!(SSI_STATUS & SSI_RECEIVED))
            ;
        bytes[i] = (uint8_t)SSI_DATA;
    }
    QSPI_SELECT_CTRL = SELECT_FREE;
}

/* A flash that does not know the command leaves the line as it is. */
static bool says_nothing(const uint8_t *id)
{
    for (uint8_t i = 1; i < ID_BYTES; i++)
        if (id[i] != id[0])
            return false;
    return id[0] == 0 || id[0] == 0xFF;
}

void flash_id(char *text)
{
    static const char digits[] = "0123456789ABCDEF";
    uint8_t bytes[BYTES] = {READ_UNIQUE_ID};
    exchange(bytes);
    const uint8_t *id = bytes + HEAD_BYTES;
    uint8_t said = says_nothing(id) ? 0 : ID_BYTES;
    for (uint8_t i = 0; i < said; i++) {
        *text++ = digits[id[i] >> 4];
        *text++ = digits[id[i] & 15];
    }
    *text = 0;
}
