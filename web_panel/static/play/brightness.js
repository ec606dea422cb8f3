// The slider for the lights of the board.

/** @import { PageElement } from "../common/dom.js" */

export class Brightness {
  // `choose(percent)` is called when the finger has let go.
  /** @param {PageElement} box @param {(percent: number) => void} choose */
  constructor(box, choose) {
    this.slider = box.querySelector("input");
    this.output = box.querySelector("output");
    this.slider.addEventListener("input", () => this.#tell());
    this.slider.addEventListener("change", () => choose(Number(this.slider.value)));
  }

  // Shows what the board has, unless a finger is just changing it.
  /** @param {number} percent */
  show(percent) {
    if (this.slider.matches(":active")) return;
    this.slider.value = percent;
    this.#tell();
  }

  #tell() {
    this.output.textContent = `${this.slider.value} %`;
  }
}
