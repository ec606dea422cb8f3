# What is printed, cut and drawn for a board. Included by the top Makefile, which has VENV, BIN and APT.

BUILD_HARDWARE := build/hardware
PRINT_BOARDS ?= first36 cell36 field144 square144 hex91 shell19 shellsquare16
# openscad makes the STL files; xvfb gives it a display for pictures; poppler-utils reads the PDF files back.
HARDWARE_PACKAGES := openscad xvfb xauth poppler-utils

.PHONY: hardware-print hardware-tops hardware-field hardware-docs hardware-pictures hardware-parts

$(VENV)/set-up-hardware: requirements/hardware.txt pyproject.toml $(VENV)/set-up-play
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/hardware.txt
	@touch $@

$(VENV)/set-up-hardware-packages: hardware/hardware-print.mk | $(VENV)/bin/python
	@missing=$$(dpkg-query -W -f='$${Package} $${db:Status-Abbrev}\n' $(HARDWARE_PACKAGES) 2>&1 | grep -vc ' ii ') ; \
	if [ "$$missing" != 0 ]; then \
	  $(APT) update -qq && $(APT) install -y -qq --no-install-recommends $(HARDWARE_PACKAGES); fi
	@touch $@

# All of it, and every check.
hardware-parts: hardware-print hardware-tops hardware-docs hardware-field

# STL files of every part, each checked: closed, on the bed, walls; keeps the volumes for the pages.
hardware-print: $(VENV)/set-up-hardware $(VENV)/set-up-hardware-packages
	$(BIN)/python -m hardware.printables.make --keep $(BUILD_HARDWARE)/print $(PRINT_BOARDS)

# Tops as SVG, DXF and sheets of A4, and paper tokens; every file is read back.
hardware-tops: $(VENV)/set-up-hardware $(VENV)/set-up-hardware-packages
	$(BIN)/python -m hardware.tops.make $(BUILD_HARDWARE)/tops $(PRINT_BOARDS)
	@for pdf in $(BUILD_HARDWARE)/tops/*/*.pdf; do pdfinfo "$$pdf" | grep -q 'A4' || { \
	  echo "$$pdf is not of A4 pages"; exit 1; }; done

# The tables and drawings of docs/build/, from the profiles.
hardware-docs: $(VENV)/set-up-play
	$(BIN)/python -m hardware.manual.pages

# The photographs of docs/build/.
hardware-pictures: hardware-print hardware-board-pictures
	xvfb-run -a $(BIN)/python -m hardware.printables.picture docs/pictures/build-frame.png \
	  $(BUILD_HARDWARE)/print/first36/frame-1-1.stl
	xvfb-run -a $(BIN)/python -m hardware.printables.picture --apart 215 docs/pictures/build-cell36-box.png \
	  $(BUILD_HARDWARE)/print/cell36/tray.stl $(BUILD_HARDWARE)/print/cell36/grid.stl
	xvfb-run -a $(BIN)/python -m hardware.printables.picture --apart 36 docs/pictures/build-pieces.png \
	  $(BUILD_HARDWARE)/print/shell19/base-0.stl $(BUILD_HARDWARE)/print/shell19/base-1.stl \
	  $(BUILD_HARDWARE)/print/shell19/chip.stl $(BUILD_HARDWARE)/print/shell19/beacon-1.stl \
	  $(BUILD_HARDWARE)/print/shell19/peg.stl
	xvfb-run -a $(BIN)/python -m hardware.printables.picture --apart 90 docs/pictures/build-shell.png \
	  $(BUILD_HARDWARE)/print/shell19/ring.stl $(BUILD_HARDWARE)/print/shell19/guide.stl
	xvfb-run -a $(BIN)/python -m hardware.printables.picture --apart 125 docs/pictures/build-tile.png \
	  $(BUILD_HARDWARE)/print/shell19/frame-3-2.stl $(BUILD_HARDWARE)/print/shell19/post.stl
	xvfb-run -a $(BIN)/python -m hardware.printables.picture --apart 165 docs/pictures/build-case.png \
	  $(BUILD_HARDWARE)/print/first36/case.stl $(BUILD_HARDWARE)/print/first36/lid.stl

# Field, depth and light of a board with linear hall sensors, for docs/build/; ANEW=--anew reckons for a quarter of an hour.
ANEW ?=
hardware-field: $(VENV)/set-up-hardware
	$(BIN)/python -m hardware.field.report $(ANEW)
