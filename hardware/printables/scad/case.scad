// The case for Raspberry Pi, sensor board and level shifter: a box with posts, and a lid with slits for air. Both are
// printed as they stand here, open side up.

module rounded(size, r) {
  linear_extrude(size[2]) translate([r, r]) offset(r = r) square([size[0] - 2 * r, size[1] - 2 * r]);
}

module posts(at, holes, height, hole) {
  for (p = holes) translate([at[0] + p[0], at[1] + p[1], 0]) difference() {
    cylinder(d = hole + 4, h = height, $fn = 32);
    cylinder(d = hole, h = height + 1, $fn = 32);
  }
}

// All places are measured from the lower left inner corner. The Pi's sockets look out of the right wall and the front,
// the USB socket of a Nano in its carrier out of the front at usb, that of a Nano in the cradle out of the right wall.
// Openings wider than a bridge of plastic go up to the rim, where the lid closes them.
module box(inside, wall, floor, pi_at, pi_holes, nano_at, screws, usb, standoff, hole) {
  size = [inside[0] + 2 * wall, inside[1] + 2 * wall, inside[2] + floor];
  difference() {
    rounded(size, 4);
    translate([wall, wall, floor]) {
      rounded([inside[0], inside[1], inside[2] + 1], 2.5);
      translate([inside[0] - 1, pi_at[1] + 1, standoff]) cube([wall + 2, 55, inside[2]]);      // USB, network
      translate([pi_at[0] + 4, -wall - 1, standoff]) cube([60, wall + 2, inside[2]]);          // supply, video
      translate([usb - 7, -wall - 1, standoff + 8]) cube([14, wall + 2, inside[2]]);           // the carrier's USB
      translate([inside[0] - 1, nano_at[1] + 3, 4]) cube([wall + 2, 12, 9]);                   // the cradle's USB
      for (x = [16:16:inside[0] - 20]) translate([x, inside[1] - 1, 8]) cube([10, wall + 2, 6]);  // wires
    }
  }
  translate([wall, wall, floor - 0.01]) {
    posts(pi_at, pi_holes, standoff, hole);
    posts([0, 0], screws, standoff, hole);
    translate([nano_at[0], nano_at[1], 0]) difference() {
      translate([-2, -2, 0]) cube([49.4, 22.5, 5]);
      translate([0, 0, 2]) cube([45.4, 18.5, 4]);
      translate([4, 3, -1]) cube([37, 12.5, 8]);
    }
  }
}

module lid(inside, wall, floor) {
  size = [inside[0] + 2 * wall, inside[1] + 2 * wall];
  difference() {
    union() {
      rounded([size[0], size[1], floor], 4);
      translate([wall + 0.25, wall + 0.25, 0]) difference() {
        rounded([inside[0] - 0.5, inside[1] - 0.5, floor + 5], 2.3);
        translate([1.6, 1.6, floor]) rounded([inside[0] - 3.7, inside[1] - 3.7, 6], 1.2);
      }
    }
    for (x = [25:10:size[0] - 25]) translate([x, 25, -1]) cube([3, size[1] - 50, floor + 2]);
  }
}
