// What stands on the board: bases for the pieces, a shell's pegs, beacons, chips. All have a pocket for a disc magnet
// that opens upwards and a skin below it; the magnet is glued in. Printed as they stand.

module pocket(magnet, skin, height) {
  translate([0, 0, skin]) cylinder(d = magnet[0] + 0.3, h = height, $fn = 48);
}

// A base with room for a paper token on top. marks: grooves round its rim, one for each seat after the first, so that
// colours can be told by touch; four for a piece of nobody.
module base(across, height, magnet, skin, inlay, depth, marks) {
  difference() {
    cylinder(d = across, h = height, $fn = 96);
    translate([0, 0, height - depth]) cylinder(d = inlay, h = height, $fn = 96);
    pocket(magnet, skin, height);
    for (k = [0:1:marks - 1]) rotate([0, 0, k * 360 / max(marks, 1)]) translate([across / 2, 0, -1])
      cylinder(d = 1.6, h = height + 2, $fn = 24);
  }
}

// Lies on a base or on another chip, without a magnet: one more unit in a store.
module chip(inlay, height, depth) {
  difference() {
    union() {
      cylinder(d = inlay - 0.4, h = depth, $fn = 96);
      // its rim widens by 45 degrees, which prints without support
      translate([0, 0, depth]) cylinder(d1 = inlay - 0.4, d2 = inlay + 2, h = 1.2, $fn = 96);
      translate([0, 0, depth + 1.2]) cylinder(d = inlay + 2, h = height - 1.2, $fn = 96);
    }
    translate([0, 0, height]) cylinder(d = inlay, h = height, $fn = 96);
  }
}

// A node of a shell: stands in a pocket of the ring, on the board.
module peg(across, height, magnet, skin) {
  difference() {
    union() {
      cylinder(d = across, h = height - 2, $fn = 64);
      translate([0, 0, height - 2]) cylinder(d1 = across, d2 = across - 2, h = 2, $fn = 64);
    }
    pocket(magnet, skin, height);
  }
}

// A beacon: a slender tower; marks as on a base.
module beacon(across, height, magnet, skin, marks) {
  difference() {
    union() {
      cylinder(d = across, h = 4, $fn = 64);
      translate([0, 0, 4]) cylinder(d1 = across - 2, d2 = magnet[0] + 4, h = height - 4, $fn = 64);
    }
    pocket(magnet, skin, height);
    for (k = [0:1:marks - 1]) rotate([0, 0, k * 360 / max(marks, 1)]) translate([across / 2, 0, -1])
      cylinder(d = 1.6, h = 6, $fn = 24);
  }
}
