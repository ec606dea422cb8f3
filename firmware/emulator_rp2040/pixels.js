// A row of WS2812B at the end of a wire: what they make of the pulses. Knows no processor.

const ZERO_NS = [200, 400]; // high, as the data sheet has it
const ONE_NS = [580, 1000];
const LOW_LEAST_NS = 200;
const TAKE_UP_NS = 280e3; // low for so long, and what came is shown
const PIXEL_BITS = 24;

const within = (ns, [least, most]) => ns >= least && ns <= most;

export class Pixels {
  /** Red, green, blue of each pixel as they shine; frames that were shown so far. */
  shown = [];
  frames = 0;

  #bits = [];
  #changedNs = 0;
  #high = false;
  #fail;

  /** `fail` is told which pulse no pixel would understand. */
  constructor(fail) {
    this.#fail = fail;
  }

  /** The wire changes its level. */
  level(high, nowNs) {
    if (high === this.#high) {
      return;
    }
    const lasted = Math.round(nowNs - this.#changedNs);
    if (high) {
      this.rest(nowNs);
      if (this.#bits.length && lasted < LOW_LEAST_NS) {
        this.#fail(`the pixels' wire is low for ${lasted} ns only`);
      }
    } else if (within(lasted, ZERO_NS) || within(lasted, ONE_NS)) {
      this.#bits.push(within(lasted, ONE_NS) ? 1 : 0);
    } else {
      this.#fail(`a pulse of ${lasted} ns is neither 0 nor 1 to a pixel`);
    }
    this.#high = high;
    this.#changedNs = nowNs;
  }

  /** Nothing has happened until now: after a while what came is shown. */
  rest(nowNs) {
    if (this.#high || !this.#bits.length || nowNs - this.#changedNs < TAKE_UP_NS) {
      return;
    }
    if (this.#bits.length % PIXEL_BITS) {
      this.#fail(`the pixels got ${this.#bits.length} bits, which are no whole pixels`);
    }
    const byte = (at) => this.#bits.slice(at, at + 8).reduce((sum, bit) => 2 * sum + bit, 0);
    const starts = Array.from({ length: Math.floor(this.#bits.length / PIXEL_BITS) }, (_, pixel) => pixel * PIXEL_BITS);
    this.shown = starts.flatMap((at) => [byte(at + 8), byte(at), byte(at + 16)]);
    this.frames++;
    this.#bits = [];
  }
}
