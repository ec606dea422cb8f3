// A section of the frame under the board's top: a box of light for every cell, a tower for every sensor,
// a window for every pixel. Printed as it stands. Measures come with the arguments, in mm, from the profile.
// Drawn flat and raised layer by layer, which is quick.

// A reed stands upright, its upper lead bent back beside it; a hall switch lies on the tower, its mark upwards.
module bore(sensor) {
  if (sensor == "reed") hull() for (x = [-1, 1]) translate([x, 0]) circle(d = 2.6, $fn = 12);
  else square([4.6, 1.6], center = true);
}

module seat(sensor) {
  if (sensor == "hall") square([4.6, 3.8], center = true);
  else bore(sensor);
}

module window(off, size) {
  translate([-size / 2, -off - size / 2]) square(size);
}

// A shade round a sensor and its window, so that lights of one tile do not mix.
module shade(off, radius, thick) {
  translate([0, -off / 2]) difference() {
    circle(r = radius, $fn = 48);
    circle(r = radius - thick, $fn = 48);
  }
}

module outline(cells) {
  offset(delta = -0.1) union() for (cell = cells) polygon(cell);
}

module notches(at, across) {
  for (p = at) translate(p) circle(d = across + 0.6, $fn = 48);
}

module tower(height, across) {
  cylinder(d = across, h = height, $fn = 16);
}

// What is cut out of the tower of a sensor: its last 1.8 mm hold a hall switch.
module hollow(sensor, height) {
  translate([0, 0, -1]) linear_extrude(height + 2) bore(sensor);
  translate([0, 0, height - 1.8]) linear_extrude(3) seat(sensor);
}

// cells: outlines; sites: [x, y] of every sensor; edges: [x, y, degrees] where the next section is screwed on;
// notches: [x, y] of vertices, where posts stand; shades: the radius of a shade round each sensor, 0 for none.
module frame(cells, sites, edges, notches, shades, height, wall, floor, top_gap, sensor, across, window_off,
             window_size, notch) {
  difference() {
    union() {
      linear_extrude(floor) difference() {
        outline(cells);
        for (at = sites) translate(at) window(window_off, window_size);
        notches(notches, notch);
      }
      linear_extrude(height) difference() {
        outline(cells);
        for (cell = cells) offset(delta = -wall / 2) polygon(cell);
        notches(notches, notch);
      }
      if (shades > 0) linear_extrude(height) for (at = sites) translate(at) shade(window_off, shades, wall / 2);
      for (at = sites) translate(at) tower(height - top_gap, across);
    }
    for (at = sites) translate(at) hollow(sensor, height - top_gap);
    for (edge = edges) translate([edge[0], edge[1], height / 2]) rotate([90, 0, edge[2] + 90])
      cylinder(d = 3.4, h = 4 * wall, center = true, $fn = 12);
  }
}

// What stands under a vertex of a shell board, in the notch between tiles: sensor and light in one round box.
module post(height, wall, floor, top_gap, sensor, across, window_off, window_size, notch) {
  difference() {
    union() {
      linear_extrude(floor) difference() {
        circle(d = notch, $fn = 48);
        window(window_off, window_size);
      }
      linear_extrude(height) difference() {
        circle(d = notch, $fn = 48);
        circle(d = notch - wall, $fn = 48);
      }
      tower(height - top_gap, across);
    }
    hollow(sensor, height - top_gap);
  }
}
