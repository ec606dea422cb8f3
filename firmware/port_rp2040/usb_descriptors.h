/* What the device says of itself, as USB 2.0, 9.6, and the class's own document, CDC 1.2, 5.2, lay down. */
#ifndef USB_DESCRIPTORS_H
#define USB_DESCRIPTORS_H
#include <stdint.h>

#include "board_table.h"

#define PACKET 64
#define NOTICES 1 /* the endpoint that the class wants and nobody uses */
#define DATA 2    /* the endpoints of the bytes, one each way */
#define TOWARDS_HOST 0x80
#define OF_16(value) (value) & 0xFF, (value) >> 8

enum { DEVICE = 1, CONFIGURATION, STRING, INTERFACE, ENDPOINT, ASSOCIATION = 11, CLASS_SPECIFIC = 0x24 };
enum { CLASS_LINE = 2, CLASS_DATA = 10, CLASS_MIXED = 0xEF, MODEL_ABSTRACT = 2, BULK = 2, INTERRUPT = 3 };
enum { NO_TEXT, TEXT_MAKER, TEXT_PRODUCT, TEXT_SERIAL };

#define VENDOR 0x1209  /* pid.codes, for free hardware */
#define PRODUCT 0x0001 /* its number for trials: a board that is sold needs one of its own */

#define AT_SERIAL 16
static uint8_t device_descriptor[] = {
    18, DEVICE, OF_16(0x0200), CLASS_MIXED, 2, 1, PACKET, OF_16(VENDOR), OF_16(PRODUCT), OF_16(0x0100),
    TEXT_MAKER, TEXT_PRODUCT, [AT_SERIAL] = NO_TEXT, 1,
};

#define CONFIGURATION_SIZE 75
static const uint8_t configuration_descriptor[] = {
    9, CONFIGURATION, OF_16(CONFIGURATION_SIZE), 2, 1, NO_TEXT,
    OWN_SUPPLY ? 0xC0 : 0x80, OWN_SUPPLY ? 0 : 250, /* nothing from the bus, else 500 mA */
    8, ASSOCIATION, 0, 2, CLASS_LINE, MODEL_ABSTRACT, 0, NO_TEXT,
    9, INTERFACE, 0, 0, 1, CLASS_LINE, MODEL_ABSTRACT, 0, NO_TEXT,
    5, CLASS_SPECIFIC, 0, OF_16(0x0110), /* version of the class */
    5, CLASS_SPECIFIC, 1, 0, 1,          /* calls: none; the data go by interface 1 */
    4, CLASS_SPECIFIC, 2, 2,             /* knows the requests of a line's speed and state */
    5, CLASS_SPECIFIC, 6, 0, 1,          /* interfaces 0 and 1 belong together */
    7, ENDPOINT, NOTICES | TOWARDS_HOST, INTERRUPT, OF_16(8), 255,
    9, INTERFACE, 1, 0, 2, CLASS_DATA, 0, 0, NO_TEXT,
    7, ENDPOINT, DATA, BULK, OF_16(PACKET), 0,
    7, ENDPOINT, DATA | TOWARDS_HOST, BULK, OF_16(PACKET), 0,
};
_Static_assert(sizeof configuration_descriptor == CONFIGURATION_SIZE, "the host is told another size");

static const char *texts[] = {[TEXT_MAKER] = "Beaconboard", [TEXT_PRODUCT] = "Sensor board " BOARD_NAME, [TEXT_SERIAL] = ""};

#endif
