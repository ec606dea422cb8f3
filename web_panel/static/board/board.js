// The board as SVG: sites, their lights, tokens. Knows no rules, no network and no gestures.
// `draw` makes the sites of a geometry once; `show` sets lights and names; `put` sets tokens. All may be called often.

import { make, svg } from "../common/dom.js";
import { hundredths } from "./geometry.js";

/** @import { Drawn } from "../common/dom.js" */
/** @import { DrawingsOfGame, Geometry, Piece, SiteDrawn } from "../common/types.js" */

// The colours of pieces, in the order of COLOURS in controller/rules/game.py: a token's body, lit and in the shade, its edge, its rim and its letters;
// `flat` is a mark in a list. All of the body or the edge stands out from every cell.
export const SEATS = [
  { body: ["#fffaf0", "#e0d2b4"], edge: "#6d6350", rim: "#8d7a52", letter: "#2d2316", flat: "#fbf3e0" },
  { body: ["#4a4d57", "#15161a"], edge: "#d8dae0", rim: "#50545f", letter: "#c3c7d1", flat: "#1d1f24" },
  { body: ["#5fb4ec", "#0b5f9a"], edge: "#cfe8fb", rim: "#ffffff", letter: "#ffffff", flat: "#2b8fd4" },
  { body: ["#f6b04a", "#b5560c"], edge: "#ffe3b8", rim: "#3a1800", letter: "#2a1300", flat: "#e08a1e" },
  { body: ["#b78be3", "#5d3494"], edge: "#ecdcff", rim: "#ffffff", letter: "#ffffff", flat: "#8d5bc0" },
  { body: ["#86cd80", "#2c6a29"], edge: "#d6f2d3", rim: "#ffffff", letter: "#ffffff", flat: "#4e9a4a" },
  { body: ["#ee7b70", "#96201a"], edge: "#ffd6d1", rim: "#ffffff", letter: "#ffffff", flat: "#c8372f" },
];

/**
 * A site as it is drawn, in millimetres.
 * @typedef {object} Site
 * @property {string} name
 * @property {"cell" | "vertex" | "node"} kind
 * @property {number} x
 * @property {number} y
 * @property {[number, number][]} outline
 * @property {number} reach to its farthest corner
 * @property {number} inner to its nearest side
 * @property {string} shown how it looks
 * @property {boolean} hidden
 * @property {Drawn} group
 * @property {Drawn} light
 */
/**
 * What a site is to look like.
 * @typedef {{ light: string, blink: boolean, name: string, sensed: boolean, outside: boolean }} Looks
 */
/**
 * A token, on a site or at a point; `state` is set, ghost, lifted or dragged.
 * @typedef {{ id: string, piece: Piece, site?: string, x?: number, y?: number, state: string, scale?: number }} Put
 */
/** @typedef {{ x: number, y: number }} Point */
/** @typedef {Point & { text: string, size: number }} Name a letter, a number or the name of a cell */

// Radius of a token as a part of its cell's inner radius: its light is seen round it, and so is a ring of nodes.
const TOKEN = 0.79;
const FAINT = 0.55; // the drawing of a game's only kind, which tells nothing: the body says whose piece it is
const TOKEN_WITHIN_NODES = 0.48;
const NOBODY = { body: ["#c9c9c6", "#7d7d7b"], edge: "#dcdcd8", rim: "#8d7a52", letter: "#2d2316" };

const FINGER_PX = 20; // so far from the middle of what is small a finger may come down
// A lifted token: so far up, as a part of its cell's inner radius, and so much larger.
export const UP = 0.3;
export const LARGER = 1.22;
const LAYERS = ["cell", "vertex", "node"]; // kinds of sites, the undermost first
const ROUND = "M-100 0A100 100 0 1 1 100 0A100 100 0 1 1 -100 0Z";

/** @param {Piece} piece */
const seatOf = (piece) => piece.seat ?? "none";
// The number among SEATS of the colour in which the pieces of `seat` are drawn, as the game's `drawings` say.
/** @param {number | null} seat @param {DrawingsOfGame | null} [drawings] */
export const colourOf = (seat, drawings) => drawings?.colours?.[seat ?? -1] ?? seat;
/** @param {[number, number][]} list */
const points = (list) => list.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

// A mark in the colour of a seat, for lists; of its shape too, where there are `drawings`.
/** @param {number} seat @param {DrawingsOfGame | null} [drawings] */
export function mark(seat, drawings = null) {
  const made = make("i");
  const fill = SEATS[colourOf(seat, drawings) ?? -1]?.flat ?? "";
  if (drawings?.seats[seat]) {
    made.className = "drawn";
    made.append(svg("svg", { viewBox: "-106 -106 212 212", "aria-hidden": "true" }, svg("path", { d: drawings.seats[seat], fill })));
  } else made.style.background = fill;
  return made;
}

// A token of radius `r` about the origin: the outline of its seat with the drawing of its kind, as `drawings` have them, or round
// with a `sign` of one or two letters, "" where its colour tells.
/** @param {Piece} piece @param {string} sign @param {number} r @param {DrawingsOfGame | null} [drawings] */
export function token(piece, sign, r, drawings = null) {
  const colour = colourOf(piece.seat, drawings) ?? "none";
  const { edge, rim, letter: ink } = SEATS[Number(colour)] ?? NOBODY;
  const group = svg("g", { class: `token seat-${seatOf(piece)}` });
  const size = { transform: `scale(${r / 100})` };
  const drawing = drawings?.kinds[piece.kind];
  const d = drawings ? (drawings.seats[piece.seat ?? -1] ?? drawings.nobody) : ROUND;
  group.append(
    svg("path", { class: "shadow", d, transform: `translate(0 ${0.14 * r}) scale(${r / 100})` }),
    svg("path", { class: "body", d, ...size, fill: `url(#seat-${colour})`, stroke: edge, "stroke-width": 9 }),
  );
  if (!sign && !drawing) return group;
  const part = drawings?.rim ?? 0.82;
  group.append(svg("path", { class: "rim", d, transform: `scale(${(part * r) / 100})`, stroke: rim, "stroke-width": 6 }));
  if (drawing) group.append(svg("path", { class: "drawing", d: drawing, ...size, fill: ink, opacity: drawings && Object.keys(drawings.kinds).length < 2 ? FAINT : 1, "fill-rule": "evenodd" }));
  else {
    const letter = svg("text", { y: 0.04 * r, fill: ink, "font-size": (sign.length > 1 ? 0.9 : 1.25) * r });
    letter.textContent = sign;
    group.append(letter);
  }
  return group;
}

/** @param {string} id @param {[string, string, number?][]} stops @param {Record<string, any>} [place] */
function gradient(id, stops, place = {}) {
  const made = svg("radialGradient", { id, cx: "38%", cy: "30%", r: "78%", ...place });
  for (const [offset, colour, opacity] of stops) {
    made.append(svg("stop", { offset, "stop-color": colour, "stop-opacity": opacity ?? 1 }));
  }
  return made;
}

function paints() {
  /** @type {[number | string, { body: string[] }][]} */
  const seats = [...SEATS.entries(), ["none", NOBODY]];
  const wood = svg("linearGradient", { id: "wood", x1: 0, y1: 0, x2: 1, y2: 1 });
  [["0", "#8a6240"], [".35", "#6d4b30"], [".6", "#7b573a"], ["1", "#553924"]].forEach(([offset, colour]) =>
    wood.append(svg("stop", { offset, "stop-color": colour })));
  return svg("defs", {}, wood,
    gradient("frost", [["0", "#fff", 0.62], [".45", "#fff", 0.14], ["1", "#000", 0.3]], { cx: "50%", cy: "50%", r: "70%" }),
    gradient("grain", [["0", "#fff", 0.1], ["1", "#000", 0.14]], { r: "100%" }),
    ...seats.map(([seat, { body: [light, dark] }]) => gradient(`seat-${seat}`, [["0", light], ["1", dark]])));
}

// The corners of the smallest convex shape round the points, clockwise on the screen.
/** @param {[number, number][]} list @returns {[number, number][]} */
function hull(list) {
  const sorted = [...list].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  /** @type {(walk: [number, number][]) => [number, number][]} */
  const half = (walk) => walk.reduce((/** @type {[number, number][]} */ chain, p) => {
    /** @type {(a: [number, number], b: [number, number]) => boolean} */
    const turnsBack = ([ax, ay], [bx, by]) => (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) <= 0;
    while (chain.length > 1 && turnsBack(chain[chain.length - 2], chain[chain.length - 1])) chain.pop();
    return [...chain, p];
  }, []);
  return [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
}

// Where the letters and numbers go: one step beyond an end of each file and of each rank. On hexes, where files lean,
// the numbers stand at the other end, so that the two do not meet. null where cells do not lie in such lines.
/** @param {[string, Site][]} names @returns {Name[] | null} */
function rim(names) {
  /** @type {Map<string, [number, Site][]>} */
  const lines = new Map();
  const side = names[0]?.[1].outline.length === 6 ? -1 : 1;
  for (const [name, at] of names) {
    const read = /^([a-z])(\d+)$/.exec(name);
    if (!read) continue;
    const [, letter, number] = read;
    const rank = Number(number);
    for (const [key, order] of /** @type {[string, number][]} */ ([[letter, rank], [number, side * letter.charCodeAt(0)]])) {
      if (!lines.has(key)) lines.set(key, []);
      lines.get(key)?.push([order, at]);
    }
  }
  const sorted = [...lines].filter(([, line]) => line.length > 1).map(([text, line]) => ({ text, line: line.sort((a, b) => a[0] - b[0]) }));
  if (!sorted.every(({ line }) => straight(line))) return null;
  return sorted.map(({ text, line: [[, first], [, second]] }) =>
    ({ text, x: first.x + 0.78 * (first.x - second.x), y: first.y + 0.78 * (first.y - second.y), size: 0.6 * first.inner }));
}

// Whether the sites of a line lie on one, as far from each other as their numbers say.
/** @param {[number, Site][]} line */
const straight = ([[n, a], [m, b], ...rest]) => rest.every(([k, c]) =>
  Math.hypot(...(/** @type {["x", "y"]} */ (["x", "y"])).map((d) => a[d] + ((k - n) / (m - n)) * (b[d] - a[d]) - c[d])) < 0.2 * a.inner);

export class Board {
  /** @param {Drawn} root */
  constructor(root) {
    this.root = root;
    /** @type {Map<string, Site>} */
    this.sites = new Map(); // name → { name, kind, x, y, reach, inner, group, light, shown }
    /** @type {Map<string, { group: Drawn, look: string }>} */
    this.tokens = new Map(); // id → { group, look }
    this.turned = 0; // by so many degrees, clockwise
    /** @type {Record<string, string>} */
    this.signs = {}; // what stands on a piece, by its kind, as long as there are no
    /** @type {DrawingsOfGame | null} */
    this.drawings = null; // which `Drawings` have
    /** @type {Geometry} */
    this.geometry = /** @type {any} */ (null); // until it is drawn
    /** @type {Record<string, Drawn>} */
    this.layers = {};
    /** @type {string | null} */
    this.cropped = null;
    /** @type {number[]} */
    this.view = /** @type {any} */ (null);
    /** @type {Site | null} */
    this.focused = null;
    this.inner = 0;
    this.edge = 0; // half as wide as the smallest cell, for what lies round the board
    /** @type {Map<Site, Point[]>} */
    this.corners = new Map(); // vertex → where else it is drawn, as `Seams` says
    this.size = 0;
    this.labels = "";
    /** @type {unknown} */
    this.at = null; // by what the marks that were wanted last find their sites
  }

  /** @param {Geometry} geometry */
  draw(geometry) {
    this.geometry = geometry;
    this.sites.clear();
    this.tokens.clear();
    this.labels = "";
    const all = Object.entries(geometry.sites).map(([name, site]) => this.#site(name, site));
    this.inner = Math.max(...all.map((site) => site.inner));
    this.edge = Math.max(0.4 * this.inner, Math.min(...all.filter(({ kind }) => kind === "cell").map(({ inner }) => inner)));
    this.size = this.inner * (all.some((site) => site.kind === "node") ? TOKEN_WITHIN_NODES : TOKEN);
    this.layers = Object.fromEntries(["frame", "sites", "under", "rim", "tokens", "ways", "air", "over"].map((name) => [name, svg("g", { class: name })]));
    for (const name of ["rim", "over", "under", "ways"]) this.layers[name].ariaHidden = "true"; // the names of sites say it
    this.root.replaceChildren(paints(), ...Object.values(this.layers));
    this.cropped = null;
    for (const site of [...all].sort((a, b) => asRead(a) - asRead(b))) this.#addSite(site);
    this.crop("");
    this.focus(all[0]);
  }

  // Shows these sites alone, with a frame round them: a space between the names of each two, "" shows all.
  /** @param {string} names */
  crop(names) {
    if (names === this.cropped) return;
    this.cropped = names;
    const wanted = new Set(names.split(" "));
    for (const site of this.sites.values()) {
      site.hidden = Boolean(names) && !wanted.has(site.name);
      site.group.classList.toggle("cropped", site.hidden);
    }
    const cells = [...this.sites.values()].filter((site) => site.kind === "cell" && !site.hidden);
    const corners = cells.flatMap((site) => site.outline);
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    const [left, top, rim] = [Math.min(...xs), Math.min(...ys), 1.5 * this.edge];
    this.view = [left - rim, top - rim, Math.max(...xs) - left + 2 * rim, Math.max(...ys) - top + 2 * rim].map((mm) => Number(mm.toFixed(1)));
    this.root.setAttribute("viewBox", this.view.join(" "));
    this.layers.frame.replaceChildren();
    this.#frame(cells);
    if (this.focused?.hidden) this.focus(cells[0]);
    this.root.dispatchEvent(new Event("reframed"));
  }

  /** @param {string} name @param {SiteDrawn} site @returns {Site} */
  #site(name, { kind, x, y, outline }) {
    const { width, height } = this.geometry;
    const round = new DOMMatrix().translate(width / 2, height / 2).rotate(this.turned).translate(width / -2, height / -2);
    /** @type {(at: [number, number]) => [number, number]} */
    const turn = ([px, py]) => {
      const at = new DOMPoint(px, py).matrixTransform(round);
      return [hundredths(at.x), hundredths(at.y)];
    };
    const corners = outline.map(turn);
    const [cx, cy] = turn([x, y]);
    const middles = corners.map(([px, py], k) => {
      const [nx, ny] = corners[(k + 1) % corners.length];
      return Math.hypot((px + nx) / 2 - cx, (py + ny) / 2 - cy);
    });
    const reach = Math.max(...corners.map(([px, py]) => Math.hypot(px - cx, py - cy)));
    return /** @type {any} */ ({ name, kind, x: cx, y: cy, outline: corners, reach, inner: Math.min(...middles), shown: "" });
  }

  /** @param {Site[]} cells */
  #frame(cells) {
    const around = `M${points(hull(cells.flatMap((cell) => cell.outline)))}Z`;
    const bed = cells.map((cell) => `M${points(cell.outline)}Z`).join("");
    for (const [name, d, width] of /** @type {[string, string, number][]} */ ([["edge", around, 2.8], ["wood", around, 2.6], ["groove", bed, 0.24]])) {
      this.layers.frame.append(svg("path", { class: name, d, "stroke-width": width * this.edge }));
    }
  }

  /** @param {Site} site */
  #addSite(site) {
    const shrink = site.kind === "cell" ? 0.955 : 1;
    const shape = points(site.outline.map(([x, y]) => [site.x + (x - site.x) * shrink, site.y + (y - site.y) * shrink]));
    site.light = svg("polygon", { class: "light", points: shape });
    site.group = svg("g", { class: `site ${site.kind} tone-${tone(site)}`, "data-site": site.name, tabindex: -1 },
      svg("polygon", { class: "face", points: shape }), site.light,
      svg("polygon", { class: "frost", points: shape }), svg("circle", { class: "sensed", cx: site.x, cy: site.y, r: 0.34 * site.inner }),
      svg("polygon", { class: "ring", points: shape }));
    this.sites.set(site.name, site);
    this.layers.sites.append(site.group);
  }

  // Sets what the sites look like; `looks` gives { light, blink, name, sensed, outside } of a site, `role` what it is to a reader.
  /** @param {(name: string) => Looks} looks @param {string} role */
  show(looks, role) {
    for (const site of this.sites.values()) {
      const look = looks(site.name);
      const now = JSON.stringify(look) + role;
      if (now === site.shown) continue;
      site.shown = now;
      const { group, light } = site;
      const lit = look.light !== "#000000";
      group.dataset.light = look.light;
      light.style.color = lit ? look.light : "";
      group.classList.toggle("lit", lit);
      group.classList.toggle("outside", look.outside);
      group.classList.toggle("has-sensed", look.sensed);
      group.classList.toggle("blink", lit && look.blink);
      light.style.animationDelay = `${-(performance.now() % 1000)}ms`; // all blink together
      group.setAttribute("role", role);
      group.setAttribute("aria-label", look.name);
    }
  }

  // Writes the letters and numbers along the rim, or names within the cells; `names` are [name, site] pairs.
  /** @param {[string, string][]} names */
  label(names) {
    const now = JSON.stringify(names);
    if (now === this.labels) return;
    this.labels = now;
    /** @type {[string, Site][]} */
    const sites = names.map(([name, site]) => [name, /** @type {Site} */ (this.sites.get(site))]);
    /** @param {Name[]} found */
    const write = (found) => this.layers.rim.replaceChildren(...found.map(({ text, x, y, size }) => {
      const label = svg("text", { x: x.toFixed(1), y: y.toFixed(1), "font-size": size.toFixed(1) });
      label.textContent = text;
      return label;
    }));
    const along = rim(sites);
    if (along) return write(along);
    import("/static/board/cell_names.js").then(({ within }) => now === this.labels && write(within(sites)));
  }

  // Puts exactly these tokens on the board: { id, piece, site } or { id, piece, x, y }, and `state` set, ghost,
  // lifted or dragged.
  /** @param {Put[]} tokens */
  put(tokens) {
    const gone = new Set(this.tokens.keys());
    for (const wanted of tokens) {
      gone.delete(wanted.id);
      this.#putOne(wanted);
    }
    for (const id of gone) {
      this.tokens.get(id)?.group.remove();
      this.tokens.delete(id);
    }
    this.root.dispatchEvent(new Event("put"));
  }

  // What stands on `piece`.
  /** @param {{ kind: string }} piece */
  sign({ kind }) {
    return this.signs[kind] ?? kind.slice(0, 2);
  }

  // A token of radius `r` for `piece`, and a text that changes when another one has to be made for it.
  /** @param {Piece} piece @param {number} r */
  token(piece, r) {
    return token(piece, this.sign(piece), r, this.drawings);
  }

  /** @param {Piece} piece */
  look(piece) {
    return `${seatOf(piece)}${piece.kind} ${this.sign(piece)} ${Boolean(this.drawings)} ${colourOf(piece.seat, this.drawings)}`;
  }

  /** @param {Put} token */
  #putOne({ id, piece, site, x, y, state, scale = state === "lifted" ? LARGER : 1 }) {
    const at = site ? this.sites.get(site) : /** @type {Site} */ ({ x, y });
    if (!at) return;
    const size = scale * (!at.kind ? 1 : at.kind === "cell" ? Number((at.inner / this.inner).toFixed(2)) : ((at.kind === "vertex" ? 1.7 : 0.85) * at.inner) / this.size);
    const look = this.look(piece);
    let known = this.tokens.get(id);
    if (known?.look !== look) {
      known?.group.remove();
      known = { group: this.token(piece, this.size), look };
      known.group.dataset.piece = id;
      this.tokens.set(id, known);
    }
    const high = state === "lifted" || state === "dragged";
    const layer = high ? this.layers.air : this.layers.tokens;
    const up = state === "lifted" ? UP * this.inner : 0;
    const transform = `translate(${at.x}px, ${at.y - up}px) scale(${size})`;
    if (known.group.parentNode !== layer) {
      if (!known.group.parentNode) known.group.style.transform = transform; // a new one is there at once
      layer.append(known.group);
      known.group.getBoundingClientRect(); // it glides from where it was, which is drawn anew in this layer first
    }
    known.group.dataset.state = state;
    if (site) known.group.dataset.on = site;
    else delete known.group.dataset.on;
    known.group.style.transform = transform;
  }

  // Puts these drawings `under` or `over` the tokens, in place of those that were there.
  /** @param {string} layer @param {Iterable<Node>} drawings */
  mark(layer, drawings) {
    this.layers[layer].replaceChildren(...drawings);
  }

  // Client pixels → board millimetres.
  /** @param {number} clientX @param {number} clientY */
  point(clientX, clientY) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(/** @type {DOMMatrix} */ (this.root.getScreenCTM()).inverse());
    return { x, y };
  }

  // The site at these millimetres, or null beside the board. Vertices and nodes lie on top of cells.
  /** @param {Point} at @returns {string | null} */
  near({ x, y }) {
    /** @param {Site} site */
    const away = (site) => Math.min(...[site, ...(this.corners.get(site) ?? [])].map((at) => Math.hypot(at.x - x, at.y - y)));
    /** @type {(reach: (site: Site) => number) => Site | undefined} */
    const within = (reach) => [...this.sites.values()].filter((site) => !site.hidden && away(site) < reach(site)).sort((a, b) => away(a) - away(b))[0];
    /** @param {Site | undefined} site */
    const lit = (site) => site?.group.classList.contains("lit");
    const cell = within(({ kind, reach }) => (kind === "cell" ? 1.08 * reach : 0));
    // Who taps beside a lit one of them means that, unless the cell is lit too, or its middle is nearer.
    const finger = lit(cell) ? 0 : Math.min(FINGER_PX / (this.root.getScreenCTM()?.a ?? 1), cell ? away(cell) : Infinity);
    /** @param {number} part */
    const small = (part) => within((site) => (site.kind === "cell" ? 0 : Math.max(part * site.reach, lit(site) ? finger : 0)));
    return (small(1) ?? small(1.5) ?? cell)?.name ?? null;
  }

  // The site next to `name` in the direction (dx, dy) of an arrow key: up and down along a file, where files lean, too.
  /** @param {string} name @param {number} dx @param {number} dy */
  beside(name, dx, dy) {
    const from = /** @type {Site} */ (this.sites.get(name));
    let [best, least] = [from, Infinity];
    for (const site of this.sites.values()) {
      const [ox, oy] = [site.x - from.x, site.y - from.y];
      const along = ox * dx + oy * dy;
      const off = Math.abs(ox * dy) + Math.abs(oy * dx) + 0.01 * ox * dy;
      if (!site.hidden && along > 0.1 * this.inner && along + off < least) [best, least] = [site, along + off];
    }
    return best;
  }

  // The next shown site after `name`, or before it with a `step` of -1, of those that are `wanted(name)`; null where none is.
  /** @param {string} name @param {number} step @param {(name: string) => boolean} wanted */
  next(name, step, wanted) {
    const all = [...this.sites.values()].filter((site) => !site.hidden && (site.name === name || wanted(site.name)));
    const at = all.findIndex((site) => site.name === name);
    return all.length > 1 ? all.at((at + step) % all.length) ?? null : null;
  }

  // Makes `site` the one that the tab key reaches.
  /** @param {Site} site */
  focus(site) {
    this.focused?.group.setAttribute("tabindex", -1);
    this.focused = site;
    site.group.setAttribute("tabindex", 0);
  }

  /** @param {Set<string | null | undefined>} names */
  target(names) {
    for (const site of this.sites.values()) site.group.classList.toggle("target", names.has(site.name));
  }
}

// Cells first, as the others lie on top of them; then line by line from the top, as a screen reader goes through them.
/** @param {Site} site */
const asRead = ({ kind, x, y }) => LAYERS.indexOf(kind) * 1e9 + Math.round(10 * y) * 1e4 + x; // millimetres

/** @param {Site} site */
function tone({ name, outline }) {
  const read = /^([a-z])(\d+)$/.exec(name);
  if (!read) return 0;
  const [x, y] = [read[1].charCodeAt(0), Number(read[2])];
  return outline.length === 6 ? (x + 2 * y) % 3 : (x + y) % 2;
}
