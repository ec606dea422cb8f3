# The ATmega328P's port: what make makes where no other CHIP is named.

BOARD ?= square144
PORT ?= /dev/ttyUSB0
FLASH_BAUD ?= 115200
OUT = $(BUILD)/$(BOARD)

FLASH_MAX = 28672
RAM_MAX = 1536
STACK = 160

firmware: $(OUT)/sensor.hex
	@avr-size -A $(OUT)/sensor.elf | awk -v stack=$(STACK) -v flash_max=$(FLASH_MAX) -v ram_max=$(RAM_MAX) ' \
	  $$1 == ".text" || $$1 == ".data" { flash += $$2 } \
	  $$1 == ".data" || $$1 == ".bss" || $$1 == ".noinit" { ram += $$2 } \
	  END { ram += stack; \
	    printf "$(BOARD): %d of %d bytes of flash, %d of %d bytes of RAM (%d of them for the stack)\n", \
	      flash, flash_max, ram, ram_max, stack; \
	    if (flash > flash_max || ram > ram_max) { print "$(BOARD): too large"; exit 1 } }'

$(OUT)/board_table.h: ../hardware/firmware_table.py $(wildcard ../hardware/boards/$(BOARD).toml)
	cd .. && $(PYTHON) -m hardware.firmware_table $(BOARD) $(@D)

$(OUT)/sensor.elf: port/main.c $(CORE) $(HEADERS)
	@command -v avr-gcc >/dev/null || { echo "avr-gcc is missing: apt install gcc-avr avr-libc"; exit 1; }
	avr-gcc -mmcu=atmega328p -DF_CPU=16000000UL -Os -flto -fshort-enums $(WARNINGS) $(INCLUDES) -o $@ port/main.c $(CORE)

$(OUT)/sensor.hex: $(OUT)/sensor.elf
	avr-objcopy -O ihex -R .eeprom $< $@

flash: firmware
	@command -v avrdude >/dev/null || { echo "avrdude is missing: apt install avrdude"; exit 1; }
	avrdude -p atmega328p -c arduino -P $(PORT) -b $(FLASH_BAUD) -D -U flash:w:$(OUT)/sensor.hex:i
