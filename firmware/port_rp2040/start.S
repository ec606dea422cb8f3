/* What runs before main: the second stage that the chip's boot ROM copies from the flash and checks, then the copying of
 * everything into RAM. After that the flash is not read again, so that no scan waits for it. */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .set SSI, 0x18000000
    .set SSIENR, 0x08
    .set BAUDR, 0x14
    .set SPI_CTRLR0, 0xF4
    .set VTOR, 0xE000ED08

/* 252 bytes; their CRC follows (hardware/uf2.py). Every flash chip knows the plain read, command 03h. */
    .section .boot2, "ax"
    .thumb_func
    .global boot2
boot2:
    ldr r0, =SSI
    movs r1, #0
    str r1, [r0, #SSIENR]
    movs r1, #2 /* of the ring oscillator, which runs at 12 MHz at most: every flash chip can follow */
    str r1, [r0, #BAUDR]
    ldr r1, =(3 << 8 | 31 << 16) /* send an address, then receive 32 bits */
    str r1, [r0]
    movs r1, #0
    str r1, [r0, #4] /* one word at a time */
    ldr r1, =(0x03 << 24 | 2 << 8 | 6 << 2) /* the command, 8 bits of it, 24 bits of address */
    movs r2, #SPI_CTRLR0
    str r1, [r0, r2]
    movs r1, #1
    str r1, [r0, #SSIENR]
    ldr r0, =flash_vectors
    ldr r1, =VTOR
    str r0, [r1]
    ldmia r0!, {r1, r2}
    msr msp, r1
    bx r2
    .ltorg

    .section .flash_vectors, "a"
    .global flash_vectors
flash_vectors:
    .word stack_top
    .word start

    .section .start, "ax"
    .thumb_func
    .global start
start:
    ldr r0, =image_in_flash
    ldr r1, =image_start
    ldr r2, =image_end
    b 2f
1:  ldmia r0!, {r3}
    stmia r1!, {r3}
2:  cmp r1, r2
    blo 1b
    ldr r2, =bss_end
    movs r3, #0
    b 4f
3:  stmia r1!, {r3}
4:  cmp r1, r2
    blo 3b
    ldr r0, =vectors
    ldr r1, =VTOR
    str r0, [r1]
    ldr r0, =main
    bx r0
    .ltorg

/* Interrupts that nobody handles, and faults: the watchdog ends them. */
    .section .text
    .thumb_func
    .global stuck
stuck:
    b stuck

    .section .vectors, "a"
    .global vectors
vectors:
    .word stack_top
    .word start
    .word stuck, stuck /* NMI, hard fault */
    .word 0, 0, 0, 0, 0, 0, 0
    .word stuck /* supervisor call */
    .word 0, 0
    .word stuck, stuck /* pended call, system tick */
    .word take_slot /* interrupt 0: alarm 0 of the timer */
    .word stuck, stuck, stuck, stuck
    .word usb_interrupt /* interrupt 5 */
    .rept 26
    .word stuck
    .endr
