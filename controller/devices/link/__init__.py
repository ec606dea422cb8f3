"""The serial link to a sensor board: frames, messages, and the conversation."""
