"""Sensor boards, each with its twin: on a serial port, on the Pi's own pins, emulated, simulated."""
