"""Do the tests notice? One place of the product is changed at a time, and the tests that run that line are to fail.

``python -m tools.mutants touched`` notes once which test runs which line; ``python -m tools.mutants try ROOM...``
changes a seeded sample of places of each room and says what nobody noticed. That wants a test, or is not needed.
"""
