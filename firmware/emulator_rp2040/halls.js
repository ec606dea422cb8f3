// Linear hall sensors behind three 74HC4067, with the magnets over them and what can go wrong. Knows no processor.

import { readFileSync } from "node:fs";

export const MUXES = 3;
const MUX_INPUTS = 16;
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
  #byBit = new Array(MUXES * MUX_INPUTS).fill(null);

  /** `warmth` in mT is what warmth adds to all sensors. */
  warmth = 0;

  /** Reads the list of sites: the chain's length and the tracker's nodes, then lines NAME BIT. */
  constructor(path) {
    const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
    if (head !== `${MUXES * MUX_INPUTS} 0`) {
      throw new Error(`the list of sites is for another board: it begins with ${head}, not ${MUXES * MUX_INPUTS} 0`);
    }
    for (const line of lines) {
      const [name, bit] = line.split(" ");
      const hall = { on: false, field: MAGNET_MT, stuck: null, iron: 0, bounces: 0, bounceUs: 0, changedUs: 0 };
      hall.offset = OFFSET_MT * this.#dice.throw();
      this.#byName.set(name, hall);
      this.#byBit[Number(bit)] = hall;
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

  /** What the ADC makes of an input of a mux. An input without a sensor lies on ground. */
  count(mux, input, nowUs) {
    const hall = this.#byBit[mux * MUX_INPUTS + input];
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
