// A section of the frame for circuit boards: a box of light for every cell, without a floor, as the boards carry sensors
// and pixels. The boards are screwed to bosses from below; legs reach down past them to the base. Printed upside down,
// the side that carries the top on the bed, so that nothing hangs. Everything is drawn from the top down: depths in mm.
use <frame.scad>

module straight(a, b, thick) {
  hull() for (p = [a, b]) translate(p) circle(d = thick, $fn = 16);
}

// edges: [x, y, degrees] where the next section is screwed on; notches: [x, y] of posts; bosses: [x, y] of the boards'
// screws; ribs: [[x, y], [x, y]] that join bosses to walls; legs: [x, y, degrees, thickness]; rings: [x, y, radius] and spokes:
// [[x, y], [x, y]] that keep the lights of a tile apart, and leave shade_lift free above the board.
module board_frame(cells, edges, notches, bosses, ribs, legs, rings, spokes, depth, lift, shade_lift, wall, notch, rim,
                   leg_long, leg_wide, boss, boss_hole, leg_hole) {
  low = depth - lift;
  mirror([0, 1, 0]) difference() {
    union() {
      linear_extrude(low) {
        difference() {
          outline(cells);
          for (cell = cells) offset(delta = -wall / 2) polygon(cell);
          notches(notches, notch, rim);
        }
        for (rib = ribs) straight(rib[0], rib[1], 2);
      }
      if (len(notches) > 0) arcs(cells, notches, notch, rim, 1.2, low, down = true);
      linear_extrude(depth - shade_lift) {
        for (ring = rings) translate([ring[0], ring[1]]) difference() {
          circle(r = ring[2] + 0.6, $fn = 96);
          circle(r = ring[2] - 0.6, $fn = 96);
        }
        for (spoke = spokes) straight(spoke[0], spoke[1], 1.2);
      }
      linear_extrude(depth) for (at = bosses) translate(at) circle(d = boss, $fn = 32);
      linear_extrude(leg_long) for (leg = legs) translate([leg[0], leg[1]]) rotate(leg[2])
        square([leg_wide, leg[3]], center = true);
    }
    for (at = bosses) translate([at[0], at[1], 3]) cylinder(d = boss_hole, h = depth, $fn = 12);
    for (leg = legs) translate([leg[0], leg[1], leg_long - 14]) cylinder(d = leg_hole, h = 20, $fn = 12);
    for (edge = edges) translate([edge[0], edge[1], low / 2]) rotate([90, 0, edge[2] + 90])
      cylinder(d = 3.4, h = 2 * wall, center = true, $fn = 12);
  }
}

// Holds a sensor above a circuit board, at the height that its magnet wants. Seen from above the pixel of a strip is at
// its right and the output's hole towards the back; a reed's bent lead lies in the open slot.
module stand(box, height, sensor, seat) {
  difference() {
    translate([box[0], box[1], 0]) cube([box[2] - box[0], box[3] - box[1], height]);
    if (sensor == "reed") translate([0, 0, -1]) linear_extrude(height + 2)
      hull() for (y = [0, 4]) translate([0, y]) circle(d = 2.4, $fn = 24);
    else {
      translate([-1.9, -2.3, height - seat]) cube([3.8, 4.6, seat + 1]);
      translate([-3.3, -3.2, -1]) cube([1.8, 10, height + 2]);
      translate([-3.3, -3.2, -1]) cube([3.9, 10, height - 4 + 1]);
    }
  }
}
