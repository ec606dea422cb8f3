"""New versions put on by people who type nothing: one signed file, checked, set up beside the old one, and taken back.

Owns the folders of the versions in /opt/beaconboard. Runs as a helper of its own, which the service may only ask.
"""
