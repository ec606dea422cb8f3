"""Circuits as netlists for ngspice: the tracker, a sensor's input, the lights' supply, and what follows."""
