#include "usb.h"

#include <string.h>

#include "registers.h"
#include "usb_descriptors.h"

/* The memory that chip and host share, and the controller's registers: RP2040 data sheet, 4.1. */
#define SHARED 0x50100000UL
#define SETUP_PACKET ((const volatile uint8_t *)SHARED)
#define ENDPOINT_CONTROL(number, out) REGISTER(SHARED + 8 * (number) + ((out) ? 4 : 0))
#define BUFFER_CONTROL(number, out) REGISTER(SHARED + 0x80 + 8 * (number) + ((out) ? 4 : 0))
#define BUFFER_OF_0 0x100UL
#define BUFFER_OF_NOTICES 0x180UL
#define BUFFER_OUT 0x1C0UL
#define BUFFER_IN 0x200UL
#define SHARED_BYTES(offset) ((volatile uint8_t *)(SHARED + (offset)))
#define ENDPOINT_ON (BIT(31) | BIT(29)) /* with an interrupt for each buffer */
#define KIND_SHIFT 26
#define FULL BIT(15)
#define DATA1 BIT(13)
#define STALL BIT(11)
#define AVAILABLE BIT(10)
#define SIZE 0x3FFUL

#define ADDRESS REGISTER(0x50110000)
#define MAIN_CTRL REGISTER(0x50110040)
#define SIE_CTRL REGISTER(0x5011004C)
#define FRAME_NUMBER REGISTER(0x50110048)
#define SIE_STATUS REGISTER(0x50110050)
#define BUFF_STATUS REGISTER(0x50110058)
#define STALL_ARM REGISTER(0x50110068)
#define USB_MUXING REGISTER(0x50110074)
#define USB_POWER REGISTER(0x50110078)
#define USB_INTE REGISTER(0x50110090)
#define USB_INTS REGISTER(0x50110098)
#define TO_PHY (BIT(0) | BIT(3))
#define POWER_ASSUMED (BIT(2) | BIT(3)) /* the board lives by the bus, so the bus is there */
#define PULL_UP BIT(16)
#define INTERRUPT_EACH BIT(29)
#define SAW_SETUP BIT(17)
#define SAW_RESET BIT(19)
#define INT_BUFFER BIT(4)
#define INT_RESET BIT(12)
#define INT_SETUP BIT(16)
#define BUFFER_BIT(number, out) BIT(2 * (number) + ((out) ? 1 : 0))

#define RX_SIZE 256 /* a power of two */
#define NO_ADDRESS 0xFF

enum { GET_STATUS = 0, CLEAR_FEATURE = 1, SET_ADDRESS = 5, GET_DESCRIPTOR = 6, GET_CONFIGURATION = 8, SET_CONFIGURATION = 9 };
enum { SET_LINE_CODING = 0x20, GET_LINE_CODING = 0x21, SET_LINE_STATE = 0x22 };
#define WHOSE(kind) ((kind) >> 5 & 3)
enum { OF_STANDARD, OF_CLASS };
#define WHOM(kind) ((kind) & 0x1F)
#define THE_DEVICE 0
#define BAUD_OF_DRIVE 1200
#define PROGRAM_THERE 1 /* of the line's state */
#define GONE_US 10000   /* a host that is there begins a frame each millisecond */

struct setup {
    uint8_t kind, request;
    uint16_t value, index, length;
};

static uint8_t answer[PACKET + 16]; /* what the host asked for */
static uint8_t answer_size, answer_at;
static bool answering;      /* a packet of it is on its way */
static bool answer_to_take; /* the host sends the line's speed next */
static bool toggle_0;       /* the next packet of endpoint 0 is DATA1 */
static uint8_t new_address = NO_ADDRESS; /* holds from the end of this request on */
static uint8_t line_coding[7] = {0x20, 0xA1, 0x07, 0, 0, 0, 8}; /* 500,000 baud, 8 bits: it does not matter here */
static volatile bool configured, opened, news, drive_wanted;

static volatile uint8_t rx[RX_SIZE];
static volatile uint8_t rx_head, rx_tail;
static bool receive_toggle, send_toggle;
static volatile bool unread; /* a packet is there, but no room for it */
static uint8_t tx[255];
static volatile uint8_t tx_size, tx_at;
static volatile bool sending, end_due;

/* The controller looks at the rest only once AVAILABLE is seen to be set, three cycles of its own clock later. */
static void offer(volatile uint32_t *control, uint32_t value)
{
    *control = value;
    __asm__ volatile("nop\n\tnop\n\tnop\n\tnop");
    *control = value | AVAILABLE;
}

/* ---- endpoint 0: who we are */

static void send_0(const uint8_t *bytes, uint8_t size)
{
    for (uint8_t i = 0; i < size; i++)
        SHARED_BYTES(BUFFER_OF_0)[i] = bytes[i];
    offer(&BUFFER_CONTROL(0, false), FULL | (toggle_0 ? DATA1 : 0) | size);
    toggle_0 = !toggle_0;
}

static void receive_0(void)
{
    offer(&BUFFER_CONTROL(0, true), (toggle_0 ? DATA1 : 0) | PACKET);
    toggle_0 = !toggle_0;
}

/* The answer's next packet. None is a multiple of a packet, so a short one ends each. */
static void answer_on(void)
{
    uint8_t left = answer_size - answer_at;
    uint8_t size = left < PACKET ? left : PACKET;
    answering = left > 0;
    if (answering) {
        send_0(answer + answer_at, size);
        answer_at += size;
    } else {
        toggle_0 = true; /* the host acknowledges by an empty packet */
        receive_0();
    }
}

static void answer_with(const void *bytes, uint8_t size, uint16_t asked)
{
    answer_size = size < asked ? size : (uint8_t)asked;
    memcpy(answer, bytes, answer_size);
    answer_at = 0;
    answer_on();
}

static void stall_0(void)
{
    STALL_ARM = 3;
    BUFFER_CONTROL(0, false) = STALL;
    BUFFER_CONTROL(0, true) = STALL;
}

static void answer_text(uint8_t number, uint16_t asked)
{
    static const uint8_t languages[] = {4, STRING, OF_16(0x0409)}; /* English alone */
    uint8_t text[PACKET - 2] = {2, STRING};
    if (number == 0) {
        answer_with(languages, sizeof languages, asked);
        return;
    }
    if (number >= sizeof texts / sizeof *texts) {
        stall_0();
        return;
    }
    for (const char *letter = texts[number]; *letter && text[0] < sizeof text; letter++) {
        text[text[0]++] = (uint8_t)*letter;
        text[text[0]++] = 0;
    }
    answer_with(text, text[0], asked);
}

static void answer_descriptor(const struct setup *setup)
{
    switch (setup->value >> 8) {
    case DEVICE:
        answer_with(device_descriptor, sizeof device_descriptor, setup->length);
        break;
    case CONFIGURATION:
        answer_with(configuration_descriptor, sizeof configuration_descriptor, setup->length);
        break;
    case STRING:
        answer_text((uint8_t)setup->value, setup->length);
        break;
    default:
        stall_0();
    }
}

static void send_packet(void)
{
    sending = true;
    uint8_t size = tx_size - tx_at < PACKET ? (uint8_t)(tx_size - tx_at) : PACKET;
    for (uint8_t i = 0; i < size; i++)
        SHARED_BYTES(BUFFER_IN)[i] = tx[tx_at + i];
    tx_at += size;
    end_due = size == PACKET && tx_at == tx_size; /* a full packet alone does not end what the host reads */
    offer(&BUFFER_CONTROL(DATA, false), FULL | (send_toggle ? DATA1 : 0) | size);
    send_toggle = !send_toggle;
}

static void await_packet(void)
{
    offer(&BUFFER_CONTROL(DATA, true), (receive_toggle ? DATA1 : 0) | PACKET);
    receive_toggle = !receive_toggle;
}

static void configure(bool on)
{
    configured = on;
    opened = false;
    send_toggle = receive_toggle = sending = end_due = unread = false;
    tx_size = tx_at = 0;
    BUFFER_CONTROL(DATA, false) = BUFFER_CONTROL(DATA, true) = 0;
    if (!on)
        return;
    ENDPOINT_CONTROL(NOTICES, false) = ENDPOINT_ON | (uint32_t)INTERRUPT << KIND_SHIFT | BUFFER_OF_NOTICES;
    ENDPOINT_CONTROL(DATA, true) = ENDPOINT_ON | (uint32_t)BULK << KIND_SHIFT | BUFFER_OUT;
    ENDPOINT_CONTROL(DATA, false) = ENDPOINT_ON | (uint32_t)BULK << KIND_SHIFT | BUFFER_IN;
    await_packet();
}

static void acknowledge(void)
{
    toggle_0 = true;
    send_0(0, 0);
}

static void take_standard(const struct setup *setup)
{
    static const uint8_t none[2], status[2] = {OWN_SUPPLY};
    switch (setup->request) {
    case GET_DESCRIPTOR:
        answer_descriptor(setup);
        return;
    case GET_STATUS:
        answer_with(WHOM(setup->kind) == THE_DEVICE ? status : none, 2, setup->length);
        return;
    case GET_CONFIGURATION: {
        uint8_t number = configured;
        answer_with(&number, 1, setup->length);
        return;
    }
    case SET_ADDRESS:
        new_address = (uint8_t)setup->value;
        break;
    case SET_CONFIGURATION:
        configure(setup->value == 1);
        break;
    case CLEAR_FEATURE: /* a halt, after which an endpoint's packets begin with DATA0 */
        if (setup->index == (DATA | TOWARDS_HOST))
            send_toggle = false;
        if (setup->index == DATA && configured) {
            receive_toggle = false;
            await_packet();
        }
        break;
    default:
        stall_0();
        return;
    }
    acknowledge();
}

static uint32_t baud(void)
{
    return (uint32_t)line_coding[0] | (uint32_t)line_coding[1] << 8 | (uint32_t)line_coding[2] << 16 |
           (uint32_t)line_coding[3] << 24;
}

static void take_class(const struct setup *setup)
{
    switch (setup->request) {
    case SET_LINE_CODING:
        answer_to_take = true;
        receive_0();
        return;
    case GET_LINE_CODING:
        answer_with(line_coding, sizeof line_coding, setup->length);
        return;
    case SET_LINE_STATE:
        drive_wanted |= opened && !(setup->value & PROGRAM_THERE) && baud() == BAUD_OF_DRIVE;
        opened = setup->value & PROGRAM_THERE;
        acknowledge();
        return;
    default:
        stall_0();
    }
}

static void take_setup(void)
{
    uint8_t raw[8];
    for (uint8_t i = 0; i < sizeof raw; i++)
        raw[i] = SETUP_PACKET[i];
    const struct setup setup = {raw[0], raw[1], (uint16_t)(raw[2] | raw[3] << 8), (uint16_t)(raw[4] | raw[5] << 8),
                                (uint16_t)(raw[6] | raw[7] << 8)};
    toggle_0 = true;
    answering = answer_to_take = false;
    new_address = NO_ADDRESS;
    if (WHOSE(setup.kind) == OF_STANDARD)
        take_standard(&setup);
    else if (WHOSE(setup.kind) == OF_CLASS)
        take_class(&setup);
    else
        stall_0();
}

static void sent_0(void)
{
    if (new_address != NO_ADDRESS)
        ADDRESS = new_address;
    new_address = NO_ADDRESS;
    if (answering)
        answer_on();
}

static void received_0(void)
{
    if (!answer_to_take)
        return;
    answer_to_take = false;
    for (uint8_t i = 0; i < sizeof line_coding; i++)
        line_coding[i] = SHARED_BYTES(BUFFER_OF_0)[i];
    acknowledge();
}

/* ---- the bytes */

static void receive_packet(void)
{
    uint8_t size = (uint8_t)(BUFFER_CONTROL(DATA, true) & SIZE);
    unread = (uint8_t)(rx_head - rx_tail) + size >= RX_SIZE;
    if (unread)
        return;
    for (uint8_t i = 0; i < size; i++)
        rx[(uint8_t)(rx_head + i)] = SHARED_BYTES(BUFFER_OUT)[i];
    rx_head += size; /* only now may they be read */
    await_packet();
}

static void packet_sent(void)
{
    sending = false;
    if (tx_at != tx_size || end_due)
        send_packet();
}

static void start_over(void)
{
    ADDRESS = 0;
    configure(false);
}

void usb_interrupt(void)
{
    uint32_t why = USB_INTS;
    news = true;
    if (why & INT_RESET) {
        SIE_STATUS = SAW_RESET;
        start_over();
    }
    if (why & INT_BUFFER) {
        uint32_t done = BUFF_STATUS;
        BUFF_STATUS = done;
        if (done & BUFFER_BIT(0, false))
            sent_0();
        if (done & BUFFER_BIT(0, true))
            received_0();
        if (done & BUFFER_BIT(DATA, true))
            receive_packet();
        if (done & BUFFER_BIT(DATA, false))
            packet_sent();
    }
    if (why & INT_SETUP) {
        SIE_STATUS = SAW_SETUP;
        take_setup();
    }
}

void usb_start(const char *serial)
{
    texts[TEXT_SERIAL] = serial;
    device_descriptor[AT_SERIAL] = *serial ? TEXT_SERIAL : NO_TEXT;
    for (uint32_t at = 0; at < 0x100; at += 4)
        REGISTER(SHARED + at) = 0;
    USB_MUXING = TO_PHY;
    USB_POWER = POWER_ASSUMED;
    MAIN_CTRL = 1;
    SIE_CTRL = INTERRUPT_EACH;
    USB_INTE = INT_BUFFER | INT_RESET | INT_SETUP;
    NVIC_PRIORITY(IRQ_USB / 4) = 0xC0UL << 8 * (IRQ_USB % 4); /* after the scan, which has its times to keep */
    NVIC_ENABLE = BIT(IRQ_USB);
    SET(SIE_CTRL) = PULL_UP;
}

bool usb_news(void)
{
    bool seen = news;
    news = false;
    return seen || rx_head != rx_tail;
}

/* With a supply of its own a board outlives the host that had it open, and hears nothing of that. */
static bool host_there(void)
{
    static uint32_t frame, begun_us;
    uint32_t now_us = TIMER_LOW, newest = FRAME_NUMBER;
    if (newest != frame)
        begun_us = now_us;
    frame = newest;
    return !OWN_SUPPLY || now_us - begun_us < GONE_US;
}

bool usb_open(void)
{
    return configured && opened && host_there();
}

bool usb_drive_wanted(void)
{
    return drive_wanted;
}

bool usb_take(uint8_t *byte)
{
    if (rx_head == rx_tail)
        return false;
    *byte = rx[rx_tail++];
    if (unread) {
        interrupts_off();
        receive_packet();
        interrupts_on();
    }
    return true;
}

bool usb_ready(void)
{
    return !sending;
}

void usb_send(const uint8_t *bytes, uint8_t size)
{
    memcpy(tx, bytes, size);
    interrupts_off();
    tx_at = 0;
    tx_size = size;
    if (configured)
        send_packet();
    interrupts_on();
}
