"""What a 3D printer makes of a board profile: parameters, checks, and the OpenSCAD sources under scad/."""
