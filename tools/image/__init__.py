"""The image of a memory card that a Raspberry Pi 3 or 4 plays from, with the card of paper that belongs to it.

``make image`` makes both, ``make try-image`` boots what was made. What the image is and what it keeps: docs/image.md.
"""
