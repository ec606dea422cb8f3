// The line that tells what just happened, for a while, or until it is tapped. It stands at the card's foot: what is to be done stays in view.

const TOAST_MS = 6000;
const SEEN_MS = 700; // before that a tap was meant for what the line has just covered, as the second one of two
let timer = 0;
let passes = false; // whether the line is over with the next thing that is done

/** @param {string} sentence @param {boolean} [untilDone] whether it is over as soon as something is done, as at a look or a refusal */
export function tell(sentence, untilDone = false) {
  passes = untilDone;
  clearTimeout(timer);
  const line = /** @type {HTMLElement} */ (document.getElementById("toast"));
  line.textContent = sentence;
  line.classList.remove("refusal");
  import("./room.js").then(({ sayInside, watchRoom }) => (watchRoom(), sayInside(sentence)));
  const since = performance.now();
  line.onclick = () => performance.now() - since > SEEN_MS && (line.textContent = "");
  timer = setTimeout(() => (line.textContent = ""), TOAST_MS);
}

// Says why something could not be done: a clause, as it stands behind a colon elsewhere. One that begins with a cell stays as it is.
/** @param {string} sentence */
export function refuse(sentence) {
  tell(sentence.replace(/^\p{Ll}(?!\d)/u, (letter) => letter.toUpperCase()), true);
  document.getElementById("toast")?.classList.add("refusal");
}

// Something was done: why something else could not be, and what a look showed, matters no longer.
export function forgetPassing() {
  if (passes) tell("");
}
