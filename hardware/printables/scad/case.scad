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

// pi: its holes as in Raspberry Pi's drawings, 58 × 49 mm, 3.5 mm from the corner; its sockets look out of the right
// wall and the front; the Nano lies in a cradle behind.
module box(inside, wall, floor, pi_at, nano_at) {
  size = [inside[0] + 2 * wall, inside[1] + 2 * wall, inside[2] + floor];
  difference() {
    rounded(size, 4);
    translate([wall, wall, floor]) rounded([inside[0], inside[1], inside[2] + 1], 2.5);
    translate([pi_at[0] + 85, pi_at[1] + 2, floor + 6]) cube([40, 54, 22]);       // USB, network
    translate([pi_at[0] + 4, -1, floor + 6]) cube([60, wall + 2, 10]);           // supply, video
    translate([-1, nano_at[1] + 3, floor + 4]) cube([wall + 2, 12, 9]);          // the Nano's USB
    for (x = [20:16:inside[0] - 16]) translate([x, size[1] - wall - 1, floor + 8]) cube([10, wall + 2, 6]);  // wires
  }
  translate([0, 0, floor - 0.01]) {
    posts(pi_at, [[3.5, 3.5], [61.5, 3.5], [3.5, 52.5], [61.5, 52.5]], 5, 2.2);
    translate([nano_at[0], nano_at[1], 0]) difference() {
      translate([-2, -2, 0]) cube([49, 22.5, 5]);
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
