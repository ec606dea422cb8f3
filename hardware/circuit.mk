# Circuits by ngspice: what the tracker, a sensor's input and the lights' supply do, into docs/tracker-figures.md,
# and the chain's clock and latch as lines, into docs/chain-figures.md. What reaches the assembled tiles, into
# docs/tiles-figures.md.

.PHONY: circuit
circuit: $(VENV)/set-up-play
	@command -v ngspice >/dev/null || { echo "ngspice is missing: apt install ngspice"; exit 1; }
	$(BIN)/python -m hardware.spice.report docs
	$(BIN)/python -m hardware.spice.tiles
