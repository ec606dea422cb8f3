// The box of a circuit board that comes assembled: a tray that it lies in, and the grid of walls over it, a box of light
// for every cell, on which the sheet lies. Screws from below go through tray and board into the grid.
use <case.scad>

// Printed as it stands, open side up; the board's lower left corner is at 0, 0, its lower side at floor + under. mouth:
// [x from, x to, height] of the opening in front for the plug, which goes up to the rim.
module tray(side, gap, wall, floor, under, high, posts, post, through, head, head_deep, mouth) {
  inner = [side[0] + 2 * gap, side[1] + 2 * gap];
  difference() {
    union() {
      difference() {
        translate([-gap - wall, -gap - wall, 0]) rounded([inner[0] + 2 * wall, inner[1] + 2 * wall, high], 3);
        translate([-gap, -gap, floor]) rounded([inner[0], inner[1], high], 0.5);
        translate([mouth[0], -gap - wall - 1, mouth[2]]) cube([mouth[1] - mouth[0], wall + 2, high]);
      }
      for (at = posts) translate([at[0], at[1], floor - 0.01]) cylinder(d = post, h = under + 0.01, $fn = 48);
    }
    for (at = posts) translate([at[0], at[1], -1]) {
      cylinder(d = through, h = floor + under + 2, $fn = 24);
      cylinder(d = head, h = head_deep + 1, $fn = 32);
    }
  }
}

// Printed upside down, the side that carries the sheet on the bed. walls: [[x, y], [x, y]] between cells, which leave
// lift free above the board; cuts: [left, low, right, high, free] over what is higher. reach: the board without its rim.
module light_grid(walls, bosses, cuts, reach, depth, lift, wall, boss, boss_hole) {
  mirror([0, 1, 0]) difference() {
    union() {
      linear_extrude(depth - lift) intersection() {
        for (w = walls) hull() for (p = w) translate(p) square(wall, center = true);
        translate([reach[0], reach[1]]) square([reach[2] - reach[0], reach[3] - reach[1]]);
      }
      linear_extrude(depth) for (at = bosses) translate(at) circle(d = boss, $fn = 32);
    }
    for (at = bosses) translate([at[0], at[1], depth - 9]) cylinder(d = boss_hole, h = 10, $fn = 12);
    for (cut = cuts) translate([cut[0], cut[1], depth - cut[4]])
      cube([cut[2] - cut[0], cut[3] - cut[1], cut[4] + 1]);
  }
}
