// What decided a game as one picture, for messengers that show neither a link of the home network nor a drawing.

/** @import { TurningPoint } from "../common/types.js" */

const WIDTH = 1080, EDGE = 40, BOARD = 440, LINE = 46, GAP = 30;
const FONT = "32px system-ui, sans-serif", TITLE = "bold 44px system-ui, sans-serif";

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
  const [table, ink, soft] = ["--table", "--ink", "--soft"].map((name) => style.getPropertyValue(name).trim());
  return { table, ink, soft };
}
