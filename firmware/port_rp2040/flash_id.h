/* The number that the maker of the flash chip gave it and no other of its kind: by it boards are told apart. */
#ifndef FLASH_ID_H
#define FLASH_ID_H

#define FLASH_ID_DIGITS 16

/* Writes the number in hex, ended by 0; "" where the flash knows none. Call it before `chip_start`, while the interface
 * still has the slow clock of the start. After it the flash cannot be read before the next start; nothing here does. */
void flash_id(char *text);

#endif
