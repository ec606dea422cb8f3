// Linear hall sensors behind 74HC4067, three or nine of them, with the magnets over them and what can go wrong. Knows no
// processor.

import { readFileSync } from "node:fs";

export const MUXES = 3; // of a group, which are read at once
export const MUX_INPUTS = 16;
export const GROUP_INPUTS = MUXES * MUX_INPUTS;
const HEADS = [`${GROUP_INPUTS} 0`, `${3 * GROUP_INPUTS} 0`]; // of a single group, and of nine tiles
const MAGNET_MT = 7.3; // a disc of 8 × 3 mm, 3.2 mm beside its place, 12 mm below the sheet (docs/build/field.md)
const MV_PER_MT = 15;
const SUPPLY_MV = 3300;
const TOP_COUNT = 4095;
const OFFSET_MT = 0.5; // how far sensors of one batch differ without a magnet
const NOISE_MT = 0.7; // of a single reading, which is 0.25 of the mean of eight

// Numbers of a bell curve about 0 with a spread of 1, the same from run to run.
class Dice {
  #state = 1;

  #next() {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }

  throw() {
    return Math.sqrt(-2 * Math.log(1 - this.#next())) * Math.cos(2 * Math.PI * this.#next());
  }
}

export class Halls {
  #dice = new Dice();
  #noise = Array.from({ length: 4096 }, () => this.#dice.throw());
  #noiseAt = 0;
  #byName = new Map();
  #byBit;
  #unplugged = new Set(); // tiles, from 0

  /** `warmth` in mT is what warmth adds to all sensors. */
  warmth = 0;

  /** Reads the list of sites: the chain's length and the tracker's nodes, then lines NAME BIT. */
  constructor(path) {
    const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
    if (!HEADS.includes(head)) {
      throw new Error(`the list of sites is for another board: it begins with ${head}, not ${HEADS.join(" or ")}`);
    }
    this.#byBit = new Array(Number.parseInt(head, 10)).fill(null);
    for (const line of lines) {
      const [name, bit] = line.split(" ");
      const hall = { on: false, field: MAGNET_MT, stuck: null, iron: 0, bounces: 0, bounceUs: 0, changedUs: 0 };
      hall.offset = OFFSET_MT * this.#dice.throw();
      this.#byName.set(name, hall);
      this.#byBit[Number(bit)] = hall;
    }
  }

  /** How many groups of multiplexers are read one after another: more than one are on tiles. */
  get groups() {
    return this.#byBit.length / GROUP_INPUTS;
  }

  /** The cable of a tile, numbered from 0, is pulled out or plugged in; throws where there is none. */
  plug(tile, on) {
    if (this.groups === 1 || !Number.isInteger(tile) || tile < 0 || tile >= this.groups * MUXES) {
      throw new Error("there is no such tile");
    }
    if (on) {
      this.#unplugged.delete(tile);
    } else {
      this.#unplugged.add(tile);
    }
  }

  /** The hall at a site; throws where there is none. */
  at(site) {
    const hall = this.#byName.get(site);
    if (!hall) {
      throw new Error("there is no such site");
    }
    return hall;
  }

  /** A magnet comes or goes, after so many bounces. */
  change(site, on, nowUs, bounces = 0, bounceUs = 0) {
    const hall = this.at(site);
    if (hall.on !== on || bounces) {
      Object.assign(hall, { on, bounces, bounceUs, changedUs: nowUs });
    }
  }

  /** What the ADC makes of the input of a mux; null where its tile is missing. One without a sensor lies on ground. */
  count(bit, nowUs) {
    const hall = this.#byBit[bit];
    if (this.#unplugged.has(Math.floor(bit / MUX_INPUTS))) {
      return null;
    }
    if (!hall) {
      return 0;
    }
    if (hall.stuck !== null) {
      return hall.stuck ? TOP_COUNT : TOP_COUNT >> 1;
    }
    this.#noiseAt = (this.#noiseAt + 1) % 4093;
    const magnet = present(hall, nowUs) ? hall.field : 0;
    const millitesla = magnet + hall.iron + hall.offset + this.warmth + NOISE_MT * this.#noise[this.#noiseAt];
    const millivolts = SUPPLY_MV / 2 + millitesla * MV_PER_MT;
    return Math.max(0, Math.min(TOP_COUNT, Math.floor((millivolts / SUPPLY_MV) * (TOP_COUNT + 1))));
  }
}

function present(hall, nowUs) {
  if (!hall.bounces) {
    return hall.on;
  }
  const half = Math.floor((nowUs - hall.changedUs) / hall.bounceUs);
  const away = half < 2 * hall.bounces && half % 2 === 1;
  return hall.on !== away;
}
