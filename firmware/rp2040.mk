# The RP2040's port, for boards whose file says chip = "rp2040": a UF2 that is dragged onto the drive that the chip shows.

BOARD ?= cell36
BOARD_FILE := $(firstword $(wildcard ../hardware/boards/$(BOARD).toml $(BOARD)))
$(if $(BOARD_FILE),,$(error BOARD=$(BOARD) is neither a board in hardware/boards nor a board file: BOARD=FILE.toml))
NAME := $(basename $(notdir $(BOARD)))
OUT = $(BUILD)/$(NAME)
DRIVE ?= $(firstword $(wildcard /media/*/RPI-RP2 /run/media/*/RPI-RP2 /Volumes/RPI-RP2))
IMAGE_MAX = 65536

WARNINGS += -DPIXELS=LIGHTS
PORT_SOURCES = $(wildcard port_rp2040/*.c) port_rp2040/start.S
ARM = arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb -O2 -ffreestanding -fshort-enums -ffunction-sections $(WARNINGS)

$(OUT)/board_table.h: ../hardware/firmware_table.py $(BOARD_FILE)
	cd .. && $(PYTHON) -m hardware.firmware_table $(abspath $(BOARD_FILE)) $(@D)

$(OUT)/sensor.elf: $(PORT_SOURCES) $(wildcard port_rp2040/*.h) port_rp2040/memory.ld $(CORE) $(HEADERS)
	@command -v arm-none-eabi-gcc >/dev/null || { echo "arm-none-eabi-gcc is missing: apt install gcc-arm-none-eabi"; exit 1; }
	$(ARM) -Iport_rp2040 $(INCLUDES) -nostdlib -Wl,--gc-sections -T port_rp2040/memory.ld -o $@ $(PORT_SOURCES) $(CORE) -lgcc

$(OUT)/sensor.uf2: $(OUT)/sensor.elf ../hardware/uf2.py
	arm-none-eabi-objcopy -O binary $< $(OUT)/sensor.bin
	cd .. && $(PYTHON) -m hardware.uf2 $(OUT)/sensor.bin $@

firmware: $(OUT)/sensor.uf2
	@size=$$(stat -c %s $(OUT)/sensor.bin); echo "$(NAME): $$size of $(IMAGE_MAX) bytes of flash"; \
	if [ $$size -gt $(IMAGE_MAX) ]; then echo "$(NAME): too large"; exit 1; fi

flash: firmware
	@test -n "$(DRIVE)" || { echo "The chip shows no drive. Hold BOOTSEL down while you plug it in, wait for the drive RPI-RP2, or name it: DRIVE=FOLDER"; exit 1; }
	cp $(OUT)/sensor.uf2 $(DRIVE)/
