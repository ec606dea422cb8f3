"""One folder a game, with its rules, page and lesson; its ``GAME`` is found by `controller.rules.registry`."""
