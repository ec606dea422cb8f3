"""Players from outside, whom the board's own play is measured against.

They know the rules and a few rules of thumb that a club player would name. They must not know how the product counts,
what it has learnt, or how it searches: of `controller.engine` they ask for a level to play against, and no more.
"""
