// A whole game as a GIF: messengers show no link of the home network and no drawing, but these. Loaded when somebody wants one.

import { GIFEncoder, applyPalette, quantize } from "../vendor/gifenc.js";

const WIDTH = 480, SPARE = 44; // px; below the first position there is room for two more lines of words
const MOST_FRAMES = 300;
const FIRST_MS = 1500, MOVE_MS = 900, LAST_MS = 4000;
const COLOURS = 255, SAME = 255; // the last of the 256 means: as in the frame before
const GROUND = "#17191c"; // of the pictures of positions

// Resolves to the GIF of the game `id` with `count` moves, null where the browser makes none; `drawn` is called with each share of it
// that is done, from 0 to 1. A longer game leaves out positions evenly.
/** @param {number} id @param {number} count @param {(share: number) => void} drawn @returns {Promise<Blob | null>} */
export async function drawGame(id, count, drawn) {
  const step = Math.ceil((count + 1) / MOST_FRAMES);
  const plies = [...Array(Math.floor(count / step)).keys()].map((n) => n * step).concat(count);
  const first = await loaded(id, 0), scale = WIDTH / first.naturalWidth;
  const [width, height] = [WIDTH, Math.ceil(first.naturalHeight * scale) + SPARE];
  const pen = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true });
  if (!pen) return null;
  /** @param {HTMLImageElement} image */
  const pixels = (image) => {
    pen.fillStyle = GROUND;
    pen.fillRect(0, 0, width, height);
    pen.drawImage(image, 0, 0, width, image.naturalHeight * scale);
    return pen.getImageData(0, 0, width, height).data;
  };
  const palette = quantize(joined(pixels(first), pixels(await loaded(id, count))), COLOURS);
  const gif = GIFEncoder();
  /** @type {Uint8Array | null} */
  let before = null;
  for (const [n, ply] of plies.entries()) {
    const now = applyPalette(pixels(await loaded(id, ply)), palette);
    const changed = before ? now.map((colour, at) => (colour === before?.[at] ? SAME : colour)) : now;
    const delay = n === plies.length - 1 ? LAST_MS : n ? MOVE_MS : FIRST_MS;
    gif.writeFrame(changed, width, height, { palette: before ? undefined : palette, delay, transparent: Boolean(before), transparentIndex: SAME, dispose: 1 });
    before = now;
    drawn((n + 1) / plies.length);
  }
  gif.finish();
  return new Blob([gif.bytes()], { type: "image/gif" });
}

/** @param {number} id @param {number} ply @returns {Promise<HTMLImageElement>} */
async function loaded(id, ply) {
  const image = new Image();
  image.src = `/history/${id}/position.svg?ply=${ply}`;
  await image.decode();
  return image;
}

/** @param {Uint8ClampedArray} one @param {Uint8ClampedArray} other */
function joined(one, other) {
  const both = new Uint8ClampedArray(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
