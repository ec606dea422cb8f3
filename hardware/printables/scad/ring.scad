// The turning shell of a tile: a ring with a pocket for a peg at each node, and the guide inside it that is glued to
// the board's top. Springs of the guide click into notches of the ring, one for each node.

module sector(inner, outer, height, from, to) {
  rotate([0, 0, from]) rotate_extrude(angle = to - from, $fn = 120) translate([inner, 0]) square([outer - inner, height]);
}

module ring(nodes, radius, band, height, peg, bump) {
  inner = radius - band / 2;
  difference() {
    cylinder(r = radius + band / 2, h = height, $fn = 120);
    translate([0, 0, -1]) cylinder(r = inner, h = height + 2, $fn = 120);
    for (k = [0:nodes - 1]) rotate([0, 0, k * 360 / nodes]) {
      translate([radius, 0, -1]) cylinder(d = peg + 0.5, h = height + 2, $fn = 64);
      translate([inner, 0, -1]) cylinder(r = bump + 0.2, h = height + 2, $fn = 24);
    }
    // ribs to turn it by
    for (k = [0:3 * nodes - 1]) rotate([0, 0, (k + 0.5) * 120 / nodes]) translate([radius + band / 2 + 0.8, 0, -1])
      cylinder(r = 2, h = height + 2, $fn = 24);
  }
}

// What keeps the ring down: glued on the guide when the ring lies round it. Printed with its upper side on the bed; the land
// is all that touches the guide, so that its springs are free below.
module cover(radius, band, gap, width, over, thick, land, land_wide) {
  outer = radius - band / 2 - gap;
  difference() {
    union() {
      cylinder(r = radius - band / 2 + over, h = thick, $fn = 120);
      cylinder(r = outer - width + land_wide, h = thick + land, $fn = 120);
    }
    translate([0, 0, -1]) cylinder(r = outer - width, h = thick + land + 2, $fn = 120);
  }
}

// springs: arms cut out of the guide, each with a bump at its end.
module guide(nodes, radius, band, height, gap, width, bump, springs, arm, slit) {
  outer = radius - band / 2 - gap;
  reach = 60 / springs * 2;
  difference() {
    union() {
      cylinder(r = outer, h = height, $fn = 120);
      for (k = [0:springs - 1]) rotate([0, 0, floor(k * nodes / springs) * 360 / nodes]) translate([outer, 0, 0])
        cylinder(r = bump, h = height, $fn = 24);
    }
    translate([0, 0, -1]) cylinder(r = outer - width, h = height + 2, $fn = 120);
    for (k = [0:springs - 1]) rotate([0, 0, floor(k * nodes / springs) * 360 / nodes]) {
      translate([0, 0, -1]) sector(outer - arm - slit, outer - arm, height + 2, -reach / 2, 6);
      translate([0, 0, -1]) sector(outer - arm - slit, outer + 5, height + 2, 5, 8);
    }
  }
}
