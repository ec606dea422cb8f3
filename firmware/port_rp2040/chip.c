#include "chip.h"

#include "messages.h"
#include "registers.h"

#define CRYSTAL_MHZ 12
#define CRYSTAL_START 47 /* times 256 cycles: 1 ms */
#define CRYSTAL_ON (0xFABUL << 12 | 0xAA0UL)
#define PLL_TIMES 100       /* 1200 MHz */
#define PLL_DIVIDED 5       /* twice: 48 MHz */
#define PLL_OFF (BIT(0) | BIT(5))
#define PLL_DIVIDER_OFF BIT(3)
#define FROM_CRYSTAL 2
#define FROM_PLL_USB (1UL << 5)
#define PATIENCE_US 250000UL
#define WATCHDOG_PER_US 2 /* erratum E1: it counts two a tick */

#define USED (RESET_ADC | RESET_DMA | RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_PIO0 | RESET_PLL_USB | RESET_TIMER | RESET_USB)

static void let_go(uint32_t peripherals)
{
    CLEAR(RESETS_RESET) = peripherals;
    while (~RESETS_DONE & peripherals)
        ;
}

void chip_start(void)
{
    SET(RESETS_RESET) = USED;
    XOSC_STARTUP = CRYSTAL_START;
    XOSC_CTRL = CRYSTAL_ON;
    while (!(XOSC_STATUS & BIT(31)))
        ;
    CLK_REF_CTRL = FROM_CRYSTAL;
    while (!(CLK_REF_SELECTED & BIT(FROM_CRYSTAL)))
        ;
    let_go(RESET_PLL_USB);
    PLL_USB_CS = 1;
    PLL_USB_FBDIV = PLL_TIMES;
    CLEAR(PLL_USB_PWR) = PLL_OFF;
    while (!(PLL_USB_CS & PLL_LOCKED))
        ;
    PLL_USB_PRIM = (uint32_t)PLL_DIVIDED << 16 | (uint32_t)PLL_DIVIDED << 12;
    CLEAR(PLL_USB_PWR) = PLL_DIVIDER_OFF;
    CLK_SYS_CTRL = FROM_PLL_USB;
    CLK_SYS_CTRL = FROM_PLL_USB | 1;
    while (!(CLK_SYS_SELECTED & BIT(1)))
        ;
    CLK_USB_CTRL = CLK_ENABLE;
    CLK_ADC_CTRL = CLK_ENABLE;
    WATCHDOG_TICK = BIT(9) | CRYSTAL_MHZ;
    let_go(USED & ~RESET_PLL_USB);
}

uint8_t chip_reset_cause(void)
{
    if (WATCHDOG_REASON)
        return RESET_WATCHDOG;
    return (CHIP_RESET & HAD_POWER_ON ? RESET_POWER_ON : 0) | (CHIP_RESET & HAD_RUN_PIN ? RESET_EXTERNAL : 0);
}

/* The ROM finds its functions by two letters (RP2040 data sheet, 2.8.3). */
#define ROM_TABLE_AT 0x14
#define ROM_FIND_AT 0x18
#define ROM_SHOW_DRIVE ('U' | 'B' << 8)
typedef void *rom_find(const uint16_t *table, uint32_t code);
typedef void rom_show_drive(uint32_t lamp_pins, uint32_t without);

static uintptr_t rom_word(volatile uintptr_t at)
{
    return *(const volatile uint16_t *)at;
}

void chip_show_drive(void)
{
    interrupts_off();
    rom_find *find = (rom_find *)rom_word(ROM_FIND_AT);
    rom_show_drive *show = (rom_show_drive *)(uintptr_t)find((const uint16_t *)rom_word(ROM_TABLE_AT), ROM_SHOW_DRIVE);
    show(0, 0);
}

void chip_start_watchdog(void)
{
    PSM_WDSEL = PSM_ALL & ~PSM_OSCILLATORS;
    chip_alive();
    SET(WATCHDOG_CTRL) = WATCHDOG_ENABLE;
}

void chip_alive(void)
{
    WATCHDOG_LOAD = PATIENCE_US * WATCHDOG_PER_US;
}
