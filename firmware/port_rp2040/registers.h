/* The RP2040's registers that the port uses, by the names and numbers of its data sheet. */
#ifndef REGISTERS_H
#define REGISTERS_H
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
/* Each peripheral's registers lie there again twice: what is written sets those bits, or clears them. */
#define SET(reg) (*(volatile uint32_t *)((uintptr_t)&(reg) + 0x2000))
#define CLEAR(reg) (*(volatile uint32_t *)((uintptr_t)&(reg) + 0x3000))
#define BIT(n) (1UL << (n))

#define CLK_REF_CTRL REGISTER(0x40008030)
#define CLK_REF_SELECTED REGISTER(0x40008038)
#define CLK_SYS_CTRL REGISTER(0x4000803C)
#define CLK_SYS_SELECTED REGISTER(0x40008044)
#define CLK_USB_CTRL REGISTER(0x40008054)
#define CLK_ADC_CTRL REGISTER(0x40008060)
#define CLK_ENABLE BIT(11)

#define RESETS_RESET REGISTER(0x4000C000)
#define RESETS_DONE REGISTER(0x4000C008)
#define RESET_ADC BIT(0)
#define RESET_DMA BIT(2)
#define RESET_IO_BANK0 BIT(5)
#define RESET_PADS_BANK0 BIT(8)
#define RESET_PIO0 BIT(10)
#define RESET_PLL_USB BIT(13)
#define RESET_TIMER BIT(21)
#define RESET_USB BIT(24)

#define PSM_WDSEL REGISTER(0x40010008)
#define PSM_ALL 0x1FFFFUL
#define PSM_OSCILLATORS 3UL

#define IO_CTRL(pin) REGISTER(0x40014004 + 8 * (pin))
#define FUNCTION_SIO 5
#define FUNCTION_PIO0 6
#define PAD(pin) REGISTER(0x4001C004 + 4 * (pin))
#define PAD_OUTPUT_OFF BIT(7) /* and all else off: as the ADC wants its pins */
#define PAD_PULL_DOWN BIT(2)

#define XOSC_CTRL REGISTER(0x40024000)
#define XOSC_STATUS REGISTER(0x40024004)
#define XOSC_STARTUP REGISTER(0x4002400C)

#define PLL_USB_CS REGISTER(0x4002C000)
#define PLL_USB_PWR REGISTER(0x4002C004)
#define PLL_USB_FBDIV REGISTER(0x4002C008)
#define PLL_USB_PRIM REGISTER(0x4002C00C)
#define PLL_LOCKED BIT(31)

#define ADC_CS REGISTER(0x4004C000)
#define ADC_RESULT REGISTER(0x4004C004)
#define ADC_FCS REGISTER(0x4004C008)
#define ADC_FIFO REGISTER(0x4004C00C)
#define ADC_POWERED BIT(0)
#define ADC_START_ONE BIT(2)
#define ADC_START_MANY BIT(3)
#define ADC_READY BIT(8)
#define ADC_INPUT_SHIFT 12
#define ADC_ROUND_SHIFT 16
#define ADC_FIFO_ON BIT(0)
#define ADC_FIFO_DREQ BIT(3)
#define ADC_FIFO_EMPTY BIT(8)
#define ADC_FIFO_LEAST_SHIFT 24

#define TIMER_ALARM0 REGISTER(0x40054010)
#define TIMER_LOW REGISTER(0x40054028)
#define TIMER_INTR REGISTER(0x40054034)
#define TIMER_INTE REGISTER(0x40054038)

#define WATCHDOG_CTRL REGISTER(0x40058000)
#define WATCHDOG_LOAD REGISTER(0x40058004)
#define WATCHDOG_REASON REGISTER(0x40058008)
#define WATCHDOG_TICK REGISTER(0x4005802C)
#define WATCHDOG_ENABLE BIT(30)

#define CHIP_RESET REGISTER(0x40064008)
#define HAD_POWER_ON BIT(8)
#define HAD_RUN_PIN BIT(16)

#define DMA_READ(channel) REGISTER(0x50000000 + 0x40 * (channel))
#define DMA_WRITE(channel) REGISTER(0x50000004 + 0x40 * (channel))
#define DMA_COUNT(channel) REGISTER(0x50000008 + 0x40 * (channel))
#define DMA_CTRL_START(channel) REGISTER(0x5000000C + 0x40 * (channel))
#define DMA_ON BIT(0)
#define DMA_HALFWORDS (1UL << 2)
#define DMA_WORDS (2UL << 2)
#define DMA_INCREASE_READ BIT(4)
#define DMA_INCREASE_WRITE BIT(5)
#define DMA_CHAIN_SHIFT 11 /* to itself: to none */
#define DMA_PACE_SHIFT 15
#define DMA_QUIET BIT(21)
#define DMA_BUSY BIT(24)
#define PACE_ADC 36UL
#define PACE_PIO0_TX0 0UL

#define PIO_CTRL REGISTER(0x50200000)
#define PIO_SEND REGISTER(0x50200010) /* to machine 0, as all that follows */
#define PIO_PROGRAM(at) REGISTER(0x50200048 + 4 * (at))
#define PIO_DIVIDER REGISTER(0x502000C8)
#define PIO_WRAP REGISTER(0x502000CC)
#define PIO_SHIFT REGISTER(0x502000D0)
#define PIO_EXECUTE REGISTER(0x502000D8)
#define PIO_PINS REGISTER(0x502000DC)

#define SIO_OUT_SET REGISTER(0xD0000014)
#define SIO_OUT_CLEAR REGISTER(0xD0000018)
#define SIO_OUT_TOGGLE REGISTER(0xD000001C)
#define SIO_OUT REGISTER(0xD0000010)
#define SIO_DRIVE_SET REGISTER(0xD0000024)

/* The flash's interface, and the pin that selects the flash. */
#define SSI_CTRLR0 REGISTER(0x18000000)
#define SSI_ENABLE REGISTER(0x18000008)
#define SSI_SELECT REGISTER(0x18000010)
#define SSI_STATUS REGISTER(0x18000028)
#define SSI_DATA REGISTER(0x18000060)
#define SSI_BYTES (7UL << 16) /* both ways at once */
#define SSI_RECEIVED BIT(3)
#define QSPI_SELECT_CTRL REGISTER(0x4001800C)
#define SELECT_FREE 0
#define SELECT_LOW (2UL << 8)

#define NVIC_ENABLE REGISTER(0xE000E100)
#define NVIC_PRIORITY(word) REGISTER(0xE000E400 + 4 * (word))
#define IRQ_TIMER0 0
#define IRQ_USB 5

static inline void interrupts_off(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
}

static inline void interrupts_on(void)
{
    __asm__ volatile("cpsie i" ::: "memory");
}

#endif
