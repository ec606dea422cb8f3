"""The six games written a second time, from the designers' texts and the rulings alone, and played against the program.

Nothing here may import the program's rules: what is written here is compared with them (`python -m tests.by_the_seeds`).
Comments quote the text (001-004, by the number of the file that has it) or name the section of the ruling in docs/rules.
"""
