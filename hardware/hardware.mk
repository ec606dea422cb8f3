# What is made from the board profiles and the circuits. Works by itself, from the top of the tree, or included:
#   make -f hardware/hardware.mk hardware-boards

VENV ?= .venv
BIN ?= $(VENV)/bin
SUDO ?= $(shell [ "$$(id -u)" = 0 ] || echo sudo)
APT ?= $(SUDO) sh raspberry/apt.sh
PCB_OUT := build/pcb
# Those that are made; all, where none is named.
PCB_BOARDS ?=

.PHONY: hardware-boards hardware-board-pictures hardware-kicad

# The circuit boards: KiCad projects checked by KiCad, and what a manufacturer wants.
hardware-boards hardware-board-pictures: hardware-kicad
	@$(MAKE) --no-print-directory -f Makefile $(VENV)/set-up-gerbers
	$(BIN)/python -m hardware.pcb.make $(PCB_OUT) $(foreach board,$(PCB_BOARDS),--only $(board)) $(if $(findstring pictures,$@),--pictures docs/pictures)
	$(BIN)/python -m hardware.pcb.second_eyes $(PCB_OUT)

# KiCad 9: from the release itself where it has one, else from its backports, at the mirror that the machine already uses.
hardware-kicad:
	@if ! kicad-cli version 2>/dev/null | grep -q '^9\.'; then APT="$(APT)" SUDO="$(SUDO)" sh hardware/pcb/kicad.sh; fi
