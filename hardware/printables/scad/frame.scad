// A section of the frame under the board's top: a box of light for every cell, a tower for every sensor,
// a window for every pixel. For boards that are wired by hand. Printed as it stands. Measures come with the arguments, in mm, from the profile.
// Drawn flat and raised layer by layer, which is quick.

// A reed stands upright, its upper lead bent back beside it; a hall switch lies on the tower, its mark upwards, and its
// legs go down through a slot at their end of the package.
module bore(sensor) {
  if (sensor == "reed") hull() for (x = [-1, 1]) translate([x, 0]) circle(d = 2.6, $fn = 12);
  else translate([-1.8, 1.4]) square([3.6, 1.4]);
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
    circle(r = radius, $fn = 32);
    circle(r = radius - thick, $fn = 32);
  }
}

module outline(cells) {
  offset(delta = -0.1) union() for (cell = cells) polygon(cell);
}

// The room of posts, and how far from the top it is how much wider: a cone of 45 degrees, in steps, where their rim hangs.
STEPS = 4;

module notches(at, across, wider) {
  for (p = at) translate(p) circle(d = across + 0.6 + 2 * wider, $fn = 48);
}

// The walls round these rooms, which join the walls of a tile at its corners and carry the posts.
module arcs(cells, at, across, rim, thick, height, down = false) {
  straight = height - rim;
  translate([0, 0, down ? rim : 0]) linear_extrude(straight) arc(cells, at, across, rim, thick, 0);
  for (k = [0:STEPS - 1])
    translate([0, 0, down ? (STEPS - 1 - k) * rim / STEPS : straight + k * rim / STEPS]) linear_extrude(rim / STEPS)
      arc(cells, at, across, rim, thick, (k + 1) * rim / STEPS);
}

module arc(cells, at, across, rim, thick, wider) {
  difference() {
    intersection() {
      outline(cells);
      for (p = at) translate(p) circle(d = across + 0.6 + 2 * rim + 2 * thick, $fn = 48);
    }
    notches(at, across, wider);
  }
}

// Towers with what is cut out of them: their last 1.8 mm hold a hall switch.
module towers(sites, height, across, sensor) {
  linear_extrude(height - 1.8) for (at = sites) translate(at) difference() {
    circle(d = across, $fn = 16);
    bore(sensor);
  }
  translate([0, 0, height - 1.8]) linear_extrude(1.8) for (at = sites) translate(at) difference() {
    circle(d = across, $fn = 16);
    seat(sensor);
  }
}

// cells: outlines; sites: [x, y] of every sensor; edges: [x, y, degrees] where the next section is screwed on;
// notches: [x, y] of vertices, where posts hang; shades: the radius of a shade round each sensor, 0 for none;
// feet: [x, y] where a foot is screwed below the floor.
module frame(cells, sites, edges, notches, shades, feet, height, wall, floor, top_gap, sensor, across, window_off,
             window_size, notch, rim) {
  difference() {
    union() {
      linear_extrude(floor) difference() {
        outline(cells);
        for (at = sites) translate(at) window(window_off, window_size);
        for (at = sites) translate(at) bore(sensor);
        for (at = feet) translate(at) circle(d = 3.4, $fn = 24);
        notches(notches, notch, 0);
      }
      linear_extrude(height) {
        difference() {
          outline(cells);
          for (cell = cells) offset(delta = -wall / 2) polygon(cell);
          notches(notches, notch, rim);
        }
        if (shades > 0) for (at = sites) translate(at) shade(window_off, shades, 1.2);
      }
      if (len(notches) > 0) arcs(cells, notches, notch, rim, 1.2, height);
      towers(sites, height - top_gap, across, sensor);
    }
    for (edge = edges) translate([edge[0], edge[1], height / 2]) rotate([90, 0, edge[2] + 90])
      cylinder(d = 3.4, h = 2 * wall, center = true, $fn = 12);
  }
}

// What hangs under a vertex of a shell board, in the round room between tiles: sensor and light in one round box, wider
// at the top.
module post(height, wall, floor, top_gap, sensor, across, window_off, window_size, notch, rim) {
  linear_extrude(floor) difference() {
    circle(d = notch, $fn = 48);
    window(window_off, window_size);
    bore(sensor);
  }
  difference() {
    union() {
      cylinder(d = notch, h = height, $fn = 48);
      translate([0, 0, height - rim]) cylinder(d1 = notch, d2 = notch + 2 * rim, h = rim, $fn = 48);
    }
    translate([0, 0, -1]) cylinder(d = notch - 2.4, h = height + 2, $fn = 48);
  }
  towers([[0, 0]], height - top_gap, across, sensor);
}

// Stands between the frame's floor and the base; a screw from each side cuts its own thread.
module foot(height, across, hole) {
  difference() {
    cylinder(d = across, h = height, $fn = 32);
    translate([0, 0, -1]) cylinder(d = hole, h = height + 2, $fn = 16);
  }
}
