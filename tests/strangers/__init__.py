"""Evenings at the board, told by somebody who knows the rules, the sensors and people, and nothing of the program.

What was really played is settled before the program sees the first touch; it is judged by that alone. Nothing here
may import what reads the hands: the program is fed through the door that recordings use.
"""
