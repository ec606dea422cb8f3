# Everything that sets up, runs, tests and installs Beaconboard. `make` lists the targets.

# A board of fields has an RP2040, all others an ATmega328P.
ifdef BOARD
CHIP ?= $(if $(shell grep -ls '^chip = "rp2040"' hardware/boards/$(BOARD).toml $(BOARD)),rp2040,atmega328p)
endif
CHIP ?= atmega328p
BOARD ?= $(if $(filter rp2040,$(CHIP)),cell36,square144)
PORT ?= /dev/ttyUSB0
PLAY ?=
GESTURES ?= 1000000
VENV := .venv
BIN := $(VENV)/bin
# The newest Python that the project runs on, among those that work here.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
  $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && echo $$p && break; done)
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
APT := $(SUDO) sh raspberry/apt.sh
# libzbar0 reads codes as a phone does; fdisk the table of a card.
# gcc-avr and gcc-arm-none-eabi … the firmware, avrdude writes it; simavr an emulator; chromium the panel's tests.
# ngspice proves the circuits; mosquitto is the tests' own MQTT broker; pulseaudio hears what espeak-ng says.
TEST_PACKAGES := gcc libc6-dev make gcc-avr avr-libc avrdude gcc-arm-none-eabi libsimavr-dev libelf-dev chromium-headless-shell ngspice mosquitto openssl espeak-ng \
  pulseaudio pulseaudio-utils libzbar0 fdisk dbus-daemon python3-dbusmock systemd

.PHONY: help play fast plain test tests full long night mutants home-assistant lab-cluster test-compiled check slow style emulator soak firmware flash texts types pictures docs wheel update try-wheel release audit hardware kit lock install uninstall image try-image try-wifi try-kills clean

help:
	@echo "make play      play in the browser, on the simulated board that each game wants (PLAY='--board hex91' for one)"
	@echo "make fast      compile the search of the board's own play: it looks at more moves (make plain undoes it)"
	@echo "make test      set up and run the checks and tests, in five minutes"
	@echo "make full      those, and the tests of the board, of the house and of every state of the panel, in ten"
	@echo "make long      the whole games and evenings, and what adds little for its time, in twenty more"
	@echo "make night     how characters and levels play, whole games without the screen, the longest against the board"
	@echo "make mutants   change one thing at a time in every room, and tell what no test notices (MUTANTS=150 a room)"
	@echo "make home-assistant  install Home Assistant beside it, and try the board in it"
	@echo "make lab-cluster  start a scheduler and workers here, on which the workshop plays its runs"
	@echo "make check     style, types and the quick tests, in a minute (make slow lists what takes longest)"
	@echo "make format    lay out Python and the panel's scripts as make style wants them"
	@echo "make firmware  build the sensor board's firmware (BOARD=$(BOARD))"
	@echo "make flash     write it to the sensor board (BOARD=$(BOARD) PORT=$(PORT)); BOARD=cell36 is that of fields"
	@echo "make emulator  build firmware and emulator, for: beaconboard play --emulated"
	@echo "make circuit   prove the circuits in ngspice and write their figures"
	@echo "make hardware  make and check all that is built: circuit boards, prints, board tops, drawings"
	@echo "make kit       all files to order, print and flash a board, in build/kit/cell36.zip; BOARD=square144 for another"
	@echo "make soak      bad hands on bad sensors play all games (GESTURES=$(GESTURES))"
	@echo "make docs      build the site of the documentation, in build/docs"
	@echo "make wheel     build the wheel, with the firmware of every board, in dist"
	@echo "make try-wheel install it with pipx and with uv, in empty homes, and play"
	@echo "make release VERSION=1.2.3: change log, tag and wheel"
	@echo "make update    sign the wheel and what it needs as one file for people who do not type (docs/updates.md)"
	@echo "make install   on a Raspberry Pi: install the service or update it, and start it at every boot"
	@echo "make uninstall take it off again; the games stay (GAMES_TOO=yes: those too)"
	@echo "make image     make a card image for a Pi 3 or 4, and the card of paper for it, in build/image (docs/image.md)"
	@echo "make try-wifi  boot a Debian with simulated radios in QEMU: a phone leads a board without a network home"
	@echo "make try-kills kill a booted Debian 200 times while updates go (KILLS=, SEED= for other moments)"
	@echo "make try-image boot what make image made in QEMU, cut its power five times, put an update on"
	@echo "make texts     collect what is to be translated (docs/translating.md)"
	@echo "make types     write the types that the panel's scripts read, from what the service sends"
	@echo "make pictures  make the pictures of the docs again"

play: $(VENV)/set-up-play
	$(BIN)/beaconboard play $(PLAY)

# The same sources compiled. After any change of theirs they run as they are again, until this is done anew.
fast: $(VENV)/set-up-fast
	$(BIN)/python -m controller.compiling
	@$(BIN)/python -c "from controller import compiled; print(compiled.sentence())"

plain:
	rm -rf controller/.compiled

$(VENV)/set-up-fast: requirements/fast.txt $(VENV)/set-up-play
	@command -v gcc >/dev/null || { echo "gcc is needed to compile: apt install gcc libc6-dev python3-dev"; exit 1; }
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/fast.txt
	@touch $@

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 is needed: apt install python3"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || $(MAKE) --no-print-directory python3-venv
	$(PYTHON) -m venv $(VENV)

.PHONY: python3-venv
python3-venv:
	@echo "Debian's package python3-venv is missing; installing it"
	@$(APT) install -y -qq python3-venv || { \
	  echo "It could not be installed. As root, run: apt install python3-venv"; exit 1; }

# The stamps are newer than what they were made from, so that a new lock is taken up by itself.
$(VENV)/set-up-play: requirements/play.txt requirements/build.txt pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/play.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/build.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/set-up-test: requirements/test.txt pyproject.toml $(VENV)/set-up-play
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/test.txt
	@touch $@

$(VENV)/set-up-packages: Makefile | $(VENV)/bin/python
	@missing=$$(dpkg-query -W -f='$${Package} $${db:Status-Abbrev}\n' $(TEST_PACKAGES) 2>&1 | grep -vc ' ii ') ; \
	if [ "$$missing" != 0 ]; then $(APT) update -qq && $(APT) install -y -qq --no-install-recommends $(TEST_PACKAGES); fi
	@touch $@

# What reads the gerbers of circuit boards once more, beside KiCad.
$(VENV)/set-up-gerbers: requirements/gerbers.txt $(VENV)/set-up-play
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/gerbers.txt
	@touch $@

# What looks at the panel's scripts. Debian's npm is another one than comes with a node from elsewhere, which is left alone.
SCRIPTS := tools/scripts
$(SCRIPTS)/node_modules/set-up: $(SCRIPTS)/package.json $(SCRIPTS)/package-lock.json
	@command -v npm >/dev/null || { $(APT) update -qq && $(APT) install -y -qq --no-install-recommends nodejs npm; }
	cd $(SCRIPTS) && npm ci --silent
	@touch $@

# The emulator of the RP2040 is a package for node.
EMULATOR := firmware/emulator_rp2040
$(EMULATOR)/node_modules/set-up: $(EMULATOR)/package.json $(EMULATOR)/package-lock.json
	@command -v npm >/dev/null || { $(APT) update -qq && $(APT) install -y -qq --no-install-recommends nodejs npm; }
	cd $(EMULATOR) && npm ci --silent
	@touch $@

PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal

# Hundreds of tests start the program: where Python may not keep what it compiled, each would compile all of it again.
unexport PYTHONDONTWRITEBYTECODE

# Which tests are told.
TESTS ?= not full and not thorough and not long and not night
test: style tests

full: TESTS := not thorough and not long and not night
full: test

tests: $(VENV)/set-up-test $(VENV)/set-up-packages $(EMULATOR)/node_modules/set-up
	MAKEFLAGS= $(PYTEST) -m "$(TESTS)" # a test that runs make is none of this one's jobs

night: $(VENV)/set-up-test $(VENV)/set-up-packages $(EMULATOR)/node_modules/set-up build/proxies/set-up
	$(PYTEST) -m night
	$(MAKE) --no-print-directory mutants MUTANTS=20 LEAST=0

# Which test runs which line, by what `make full` runs; then a seeded sample of changes in each room. A test that fails
# in the first part notices nothing in the second, and does not keep it from being made. Nine of ten are the aim in each
# room; docs/mutants.md has how far it is. A night only tells its figures.
MUTANTS ?= 150
LEAST ?= 0.9
mutants: $(VENV)/set-up-test $(VENV)/set-up-packages $(EMULATOR)/node_modules/set-up
	-$(BIN)/python -m tools.mutants touched --jobs $$(nproc) -m "not long and not night"
	$(BIN)/python -m tools.mutants try --number $(MUTANTS) --least $(LEAST) --jobs $$(nproc)

# The proxies of docs/afar.md, to be played behind: unpacked and not installed, which would start them on this machine.
build/proxies/set-up: Makefile
	mkdir -p $(@D)
	cd $(@D) && sh $(CURDIR)/raspberry/apt.sh download -qq caddy nginx && for package in *.deb; do dpkg -x $$package . || exit 1; done
	@touch $@

long: $(VENV)/set-up-test $(VENV)/set-up-packages $(EMULATOR)/node_modules/set-up
	$(PYTEST) -m "(long or thorough) and not night"

test-compiled: fast $(VENV)/set-up-test $(VENV)/set-up-packages
	$(PYTEST) tests/rules tests/engine -m "not long and not night"

# A scheduler and workers on this machine, for runs of the workshop (docs/workshop.md); reachable from nowhere else.
lab-cluster: $(VENV)/set-up-workshop
	trap 'kill 0' EXIT INT TERM; $(BIN)/dask scheduler --host 127.0.0.1 --port 8786 --no-dashboard & \
	  $(BIN)/dask worker tcp://127.0.0.1:8786 --nworkers auto --nthreads 1 --no-dashboard & wait

$(VENV)/set-up-workshop: requirements/workshop.txt $(VENV)/set-up-play
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/workshop.txt
	@touch $@

# Home Assistant itself, the newest that this Python can run: hundreds of packages, in a folder of their own.
HOME_ASSISTANT := build/home-assistant

home-assistant: $(VENV)/set-up-test $(VENV)/set-up-packages $(HOME_ASSISTANT)/set-up
	HOME_ASSISTANT_PYTHON=$(abspath $(HOME_ASSISTANT)/bin/python) $(BIN)/python -m pytest -s tests/house/with_home_assistant.py

$(HOME_ASSISTANT)/set-up: | $(VENV)/bin/python
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 12))' || { \
	  echo "Home Assistant needs Python 3.12 or 3.13: make home-assistant PYTHON=python3.13"; exit 1; }
	$(PYTHON) -m venv $(HOME_ASSISTANT)
	$(HOME_ASSISTANT)/bin/python -m pip install -q --disable-pip-version-check uv
	$(HOME_ASSISTANT)/bin/uv pip install -q --python $(HOME_ASSISTANT)/bin/python "homeassistant>=2025.1"
	@touch $@

# What is quick and needs neither browser nor emulator, and of every subject one story at least (tests/conftest.py).
CHECKED := checked or not (realtime or slow or long or night)
check:
	@$(MAKE) --no-print-directory -j2 style quick

.PHONY: quick
quick: $(VENV)/set-up-test $(VENV)/set-up-packages
	MAKEFLAGS= $(PYTEST) -m "$(CHECKED)"

slow: $(VENV)/set-up-test
	$(PYTEST) --durations 40 --durations-min 1

style: $(VENV)/set-up-test $(VENV)/set-up-packages $(SCRIPTS)/node_modules/set-up
	$(BIN)/ruff check . && $(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(SCRIPTS)/node_modules/.bin/tsc -p $(SCRIPTS) && $(SCRIPTS)/node_modules/.bin/tsc -p $(SCRIPTS)/workers.json
	$(ESLINT)

# Lays out what ruff and eslint can by themselves.
.PHONY: format
format: $(VENV)/set-up-test $(SCRIPTS)/node_modules/set-up
	$(BIN)/ruff check --fix --quiet . && $(BIN)/ruff format --quiet .
	$(ESLINT) --fix

ESLINT = $(SCRIPTS)/node_modules/.bin/eslint -c $(SCRIPTS)/eslint.config.js --cache --cache-location $(SCRIPTS)/node_modules/.cache/ \
  web_panel/static $(SCRIPTS) $(EMULATOR)

firmware flash: $(VENV)/set-up-play
	$(MAKE) --no-print-directory -C firmware $@ CHIP=$(CHIP) BOARD=$(if $(filter rp2040,$(CHIP)),$(or $(abspath $(wildcard $(BOARD))),$(BOARD)),$(BOARD)) PORT=$(PORT) PYTHON=$(abspath $(BIN)/python)

soak: $(VENV)/set-up-test
	$(BIN)/python -m tests.hands.soak $(GESTURES) --jobs $$(nproc)

.PHONY: bench
bench: emulator  # its name until 0.3

# An RP2040 has one for node, which is not built.
emulator: firmware $(if $(filter rp2040,$(CHIP)),$(EMULATOR)/node_modules/set-up)
	$(if $(filter rp2040,$(CHIP)),,$(MAKE) --no-print-directory -C firmware emulator)

texts: $(VENV)/set-up-test
	$(BIN)/python -m tools.texts

types: $(VENV)/set-up-test
	$(BIN)/python -m tools.panel_types

pictures: $(VENV)/set-up-test $(VENV)/set-up-packages
	$(BIN)/python -m tools.pictures
	$(BIN)/python -m tools.rooms_picture

# -W: what Sphinx warns of, such as a link to a heading that is not there, ends it. Then every link of the made pages.
docs: $(VENV)/set-up-play $(VENV)/set-up-docs
	rm -rf build/docs
	$(BIN)/python -m sphinx -q -E -W --keep-going -b dirhtml -d build/doctrees docs build/docs
	$(BIN)/python -m docs.check_links build/docs

$(VENV)/set-up-docs: requirements/docs.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/docs.txt
	@touch $@

$(VENV)/set-up-release: requirements/release.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/release.txt
	@touch $@

IMAGES := hardware/firmware_built
# Nothing of an earlier build may get into the wheel, and the images must not stay among the sources, where they would age.
wheel: $(VENV)/set-up-play $(VENV)/set-up-release
	for board in $(basename $(notdir $(wildcard hardware/boards/*.toml))); do \
	  $(MAKE) --no-print-directory firmware BOARD=$$board || exit 1; done
	rm -rf dist build/lib build/bdist.* $(IMAGES)
	trap 'rm -rf $(IMAGES) build/lib build/bdist.*' EXIT; \
	$(BIN)/python -m hardware.firmware_images build/firmware && \
	$(BIN)/python -m pip wheel -q --no-deps --no-build-isolation -w dist .
	for pi in pi4 pi5; do PYTHONWARNINGS=ignore $(BIN)/cyclonedx-py requirements requirements/$$pi.txt --pyproject pyproject.toml \
	  --output-reproducible --of JSON -o dist/beaconboard-$$pi.cdx.json || exit 1; done
	@ls dist

# Asks a public list of known flaws about everything that is installed on a Pi; needs the internet.
audit: $(VENV)/set-up-release
	for pi in pi4 pi5; do $(BIN)/pip-audit --require-hashes --disable-pip -r requirements/$$pi.txt || exit 1; done

# Change log, version, tag and wheel, or nothing of it.
release: $(VENV)/set-up-release
	$(BIN)/python -m tools.release "$(VERSION)"

# One signed file for everybody who does not type: what it changes is told in CHANGES, the wheels for a Pi lie in folders
# (WHEELS="pi5:aarch64:3.13=FOLDER …"), RELEASE_KEY signs (docs/updates.md).
CHANGES ?= update.toml
ROOTS ?= raspberry/roots
update: wheel $(VENV)/set-up-test
	$(BIN)/python -m tools.updates.make --wheel dist/*.whl $(foreach set,$(WHEELS),--wheels $(set)) --changes $(CHANGES) \
	  --roots $(ROOTS) --sign "$(RELEASE_KEY)" --publish build/updates

try-wheel: wheel
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m tests.install.try_wheel dist/*.whl

# Writes the locked versions of everything, with hashes.
lock: $(VENV)/set-up-release
	$(BIN)/uv pip compile -q pyproject.toml --universal --python-version 3.11 $(LOCK) -o requirements/play.txt
	$(BIN)/uv pip compile -q pyproject.toml --universal --python-version 3.11 $(LOCK) --extra test -o requirements/test.txt
	$(BIN)/uv pip compile -q pyproject.toml --universal --python-version 3.11 $(LOCK) --extra hardware -o requirements/hardware.txt
	for extra in docs release workshop; do $(BIN)/uv pip compile -q pyproject.toml --universal --python-version 3.11 $(LOCK) \
	  -c requirements/test.txt --extra $$extra -o requirements/$$extra.txt; done
	$(BIN)/uv pip compile -q requirements/fast.in --universal --python-version 3.11 $(LOCK) -c requirements/test.txt -o requirements/fast.txt
	$(BIN)/uv pip compile -q requirements/gerbers.in --universal --python-version 3.11 $(LOCK) -c requirements/test.txt -o requirements/gerbers.txt
	$(BIN)/uv pip compile -q requirements/build.in --universal --python-version 3.11 $(LOCK) -c requirements/release.txt -o requirements/build.txt
	for pi in pi4 pi5; do $(BIN)/uv pip compile -q pyproject.toml --python-platform aarch64-unknown-linux-gnu \
	  --python-version 3.11 $(LOCK) --extra $$pi -o requirements/$$pi.txt; done
LOCK := --generate-hashes --no-emit-index-url --no-header --no-annotate

# ---- hardware ----------------------------------------------------------------------------------------------

include hardware/circuit.mk hardware/hardware-print.mk hardware/hardware.mk

hardware: hardware-boards hardware-parts

# What somebody without this repository needs of a board whose circuit boards are ordered, as one zip (docs/build/ordering.md).
kit: KIT := $(if $(filter file,$(origin BOARD)),cell36,$(BOARD))
kit: $(VENV)/set-up-play
	@$(BIN)/python -m hardware.kit $(KIT) build --needs >/dev/null
	@$(MAKE) --no-print-directory hardware-kicad
	$(BIN)/python -m hardware.pcb.make $(PCB_OUT) $$($(BIN)/python -m hardware.kit $(KIT) build --needs | sed 's/[^ ]*/--only &/g')
	$(MAKE) --no-print-directory hardware-print hardware-tops PRINT_BOARDS=$(KIT)
	$(MAKE) --no-print-directory firmware BOARD=$(KIT)
	$(BIN)/python -m hardware.kit $(KIT) build

# ---- on a Raspberry Pi ---------------------------------------------------------------------------------------

# What the Pi says of itself, where it cannot be asked.
PI_MODEL ?=
# yes: make uninstall removes the games as well.
GAMES_TOO ?= no

# A folder for the wheels that are installed, from which updates are made (docs/updates.md).
KEEP_WHEELS ?=

install:
	@$(SUDO) env PI_MODEL='$(PI_MODEL)' KEEP_WHEELS='$(KEEP_WHEELS)' sh raspberry/install.sh

uninstall:
	@$(SUDO) env GAMES_TOO='$(GAMES_TOO)' sh raspberry/uninstall.sh

# A memory card that plays (docs/image.md); not part of any other run, as it takes long and needs root.
IMAGE_PACKAGES := mmdebstrap arch-test debian-archive-keyring qemu-user-static binfmt-support qemu-system-arm fdisk e2fsprogs dosfstools mtools zstd
# The sensor board of the trial is an emulated one.
TRIAL_PACKAGES := gcc libc6-dev make gcc-avr avr-libc libsimavr-dev libelf-dev

KILLS ?= 200
SEED ?= 1

try-wifi:
	$(SUDO) tests/install/try_wifi.sh

try-kills:
	$(SUDO) tests/install/try_kills.sh $(KILLS) $(SEED)

try-image: IMAGE_PACKAGES += $(TRIAL_PACKAGES)
try-image: $(VENV)/set-up-test
image try-image: $(VENV)/set-up-play
	@missing=$$(dpkg-query -W -f='$${Package} $${db:Status-Abbrev}\n' $(IMAGE_PACKAGES) 2>&1 | grep -vc ' ii ') ; \
	if [ "$$missing" != 0 ]; then $(APT) update -qq && $(APT) install -y -qq --no-install-recommends $(IMAGE_PACKAGES); fi
	$(if $(filter try-image,$@),$(MAKE) --no-print-directory emulator BOARD=square144)
	$(SUDO) $(BIN)/python -m tools.image $(if $(filter try-image,$@),try,make)

clean: plain
	rm -rf build $(VENV) $(SCRIPTS)/node_modules $(EMULATOR)/node_modules .mypy_cache .pytest_cache .ruff_cache
