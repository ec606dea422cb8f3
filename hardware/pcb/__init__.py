"""The circuit boards of Beaconboard: netlists, placement and routing in Python, files for KiCad, checks by KiCad."""
