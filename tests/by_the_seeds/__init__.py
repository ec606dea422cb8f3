"""The six games written a second time, from the designers' texts and the rulings alone, and held against the program.

The referees here know nothing of the program's rules; `python -m tests.by_the_seeds` plays both and compares.
Comments quote a designer's text, or name the section of the ruling in docs/rules. 001 has Chess of Tam Ruat,
Giantslayer and Tides of War, 002 Beacons, 003 Cyvasse, 004 Circle.
"""
