// What decided a game, or an evening's table, as one picture, for messengers that show neither a link of the home network nor a drawing.

/** @import { TurningPoint } from "../common/types.js" */

const WIDTH = 1080, EDGE = 40, BOARD = 440, LINE = 46, GAP = 30, ROW = 52, CROWN = 64;
const FONT = "32px system-ui, sans-serif", TITLE = "bold 44px system-ui, sans-serif", NAME = "bold 38px system-ui, sans-serif";

// Draws the `turns` of the game `id` with `title` and `ended` above them; resolves to a PNG, or null where the browser makes none.
/** @param {TurningPoint[]} turns @param {{ id: number, title: string, ended: string }} game @returns {Promise<Blob | null>} */
export async function drawTurns(turns, { id, title, ended }) {
  const boards = await Promise.all(turns.map(({ ply }) => loaded(`/history/${id}/position.svg?ply=${ply - 1}`)));
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  pen.font = FONT;
  const above = wrapped(pen, ended, WIDTH - 2 * EDGE);
  const told = turns.map(({ sentence }) => wrapped(pen, sentence, WIDTH - 2 * EDGE - BOARD - GAP));
  const heights = told.map((lines) => Math.max(BOARD, lines.length * LINE));
  canvas.width = WIDTH;
  canvas.height = 2 * EDGE + 70 + above.length * LINE + heights.reduce((sum, height) => sum + height + GAP, 0) + LINE;
  const { table, ink, soft } = colours();
  pen.fillStyle = table;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  /** @param {string[]} lines @param {number} x @param {number} top @param {string} [font] @param {string} [colour] */
  const write = (lines, x, top, font = FONT, colour = ink) => {
    Object.assign(pen, { font, fillStyle: colour, textBaseline: "top" });
    lines.forEach((line, n) => pen.fillText(line, x, top + n * LINE));
  };
  write([title], EDGE, EDGE, TITLE);
  write(above, EDGE, EDGE + 70);
  let top = EDGE + 70 + above.length * LINE + GAP;
  for (const [n, lines] of told.entries()) {
    const { width, height } = fitted(boards[n]);
    pen.drawImage(boards[n], EDGE + (BOARD - width) / 2, top + (heights[n] - height) / 2, width, height);
    write(lines, EDGE + BOARD + GAP, top + (heights[n] - lines.length * LINE) / 2);
    top += heights[n] + GAP;
  }
  write(["Beaconboard"], EDGE, top, FONT, soft);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// Draws the `rows` of an evening under its `title`: who, how many won, the best moment, and a crown for who leads.
/** @param {string} title @param {{ name: string, told: string, best: string, leads: boolean }[]} rows @returns {Promise<Blob | null>} */
export async function drawEvening(title, rows) {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  pen.font = FONT;
  const told = rows.map(({ best }) => (best ? wrapped(pen, best, WIDTH - 2 * EDGE - CROWN) : []));
  canvas.width = WIDTH;
  canvas.height = 2 * EDGE + 90 + told.reduce((sum, lines) => sum + ROW + lines.length * LINE + GAP, 0) + LINE;
  const { table, ink, soft, accent } = colours();
  pen.fillStyle = table;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  /** @param {string} text @param {number} x @param {number} top @param {string} font @param {string} colour */
  const write = (text, x, top, font, colour) => {
    Object.assign(pen, { font, fillStyle: colour, textBaseline: "top" });
    pen.fillText(text, x, top);
  };
  write(title, EDGE, EDGE, TITLE, ink);
  let top = EDGE + 90;
  for (const [n, { name, told: won, leads }] of rows.entries()) {
    if (leads) drawCrown(pen, EDGE, top + 6, accent);
    pen.textAlign = "end";
    write(won, WIDTH - EDGE, top + 6, FONT, soft);
    const room = WIDTH - 2 * EDGE - CROWN - GAP - pen.measureText(won).width;
    pen.textAlign = "start";
    Object.assign(pen, { font: NAME, fillStyle: leads ? accent : ink });
    pen.fillText(name, EDGE + CROWN, top, room);
    told[n].forEach((line, number) => write(line, EDGE + CROWN, top + ROW + number * LINE, FONT, ink));
    top += ROW + told[n].length * LINE + GAP;
  }
  write("Beaconboard", EDGE, top, FONT, soft);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {string} colour */
function drawCrown(pen, x, y, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  for (const [right, down] of [[0, 6], [11, 18], [22, 0], [33, 18], [44, 6], [39, 30], [5, 30]]) pen.lineTo(x + right, y + down);
  pen.fill();
}

/** @param {string} src @returns {Promise<HTMLImageElement>} */
function loaded(src) {
  return new Promise((done, failed) => Object.assign(new Image(), {
    /** @this {HTMLImageElement} */
    onload() { done(this); },
    onerror: () => failed(new Error(src)),
    src,
  }));
}

// The size at which a board fills its place.
/** @param {HTMLImageElement} image */
function fitted({ naturalWidth: width, naturalHeight: height }) {
  const scale = BOARD / Math.max(width, height);
  return { width: width * scale, height: height * scale };
}

/** @param {CanvasRenderingContext2D} pen @param {string} text @param {number} width @returns {string[]} */
function wrapped(pen, text, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

// Those of the page, dark or light.
function colours() {
  const style = getComputedStyle(document.documentElement);
  const [table, ink, soft, accent] = ["--table", "--ink", "--soft", "--accent"].map((name) => style.getPropertyValue(name).trim());
  return { table, ink, soft, accent };
}
