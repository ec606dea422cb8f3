// The slider for the lights of the board.

import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */

// Returns what shows what the board has, unless a finger is just changing it; `choose` is called when the finger has let go.
/** @param {PageElement} box @param {(percent: number) => void} choose @returns {(percent: number) => void} */
export function brightness(box, choose) {
  const slider = box.querySelector("input"), output = box.querySelector("output");
  const tell = () => { output.textContent = t("{percent}%", { percent: slider.value }); };
  slider.addEventListener("input", tell);
  slider.addEventListener("change", () => choose(Number(slider.value)));
  return (percent) => {
    if (slider.matches(":active")) return;
    slider.value = percent;
    tell();
  };
}
