// Saving a whole game as a moving picture, with a word on how far it is.

import { make } from "./dom.js";
import { t } from "./text.js";

const SAVED_MS = 1000; // after which the browser has what it saves

// Lets `control`, a button or a link, save the game that `game()` names, of `count` moves, and say in the line `said` what became of it.
/** @template {HTMLElement} T @param {T} control @param {() => { id: number, count: number }} game @param {HTMLElement} said @returns {T} */
export function savesFilm(control, game, said) {
  let busy = false;
  control.textContent = t("Animation");
  control.onclick = async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    const { id, count } = game();
    const drawn = (/** @type {number} */ share) => (said.textContent = t("Drawing: {percent}%", { percent: Math.round(100 * share) }));
    const picture = await import("/static/common/moving_picture.js").then(({ drawGame }) => drawGame(id, count, drawn)).catch(() => null);
    busy = false;
    if (picture) await handPicture(picture, `game-${id}.gif`, said);
    else said.textContent = t("This browser made no picture. Try again, or save the game as text.");
  };
  return control;
}

// Hands a picture to the phone's own way of sharing, else saves it; says in the line `said` what became of it.
/** @param {Blob} picture @param {string} name @param {HTMLElement} said */
export async function handPicture(picture, name, said) {
  document.querySelector(".given")?.remove(); // what was said of a link before is over
  const files = [new File([picture], name, { type: picture.type })];
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files })) {
    try {
      await navigator.share({ files });
      return void (said.textContent = "");
    } catch (error) {
      if (/** @type {Error} */ (error).name === "AbortError") return void (said.textContent = "");
    }
  }
  const href = URL.createObjectURL(picture);
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), SAVED_MS);
  said.textContent = t("Saved as {name}.", { name });
}
