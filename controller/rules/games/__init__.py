"""One file a game. A module here that defines ``GAME`` is found by `controller.rules.registry`."""
