// The line that tells what just happened, for a while.

const TOAST_MS = 6000;
let timer = 0;
let refused = false; // whether the line says why something could not be done

/** @param {string} sentence */
export function tell(sentence) {
  refused = false;
  clearTimeout(timer);
  const line = /** @type {HTMLElement} */ (document.getElementById("toast"));
  line.textContent = sentence;
  line.classList.remove("refusal");
  timer = setTimeout(() => (line.textContent = ""), TOAST_MS);
}

/** @param {string} sentence */
export function refuse(sentence) {
  tell(sentence);
  refused = true;
  document.getElementById("toast")?.classList.add("refusal");
}

// What was done since tells nobody any longer why something could not be done.
export function forgetRefusal() {
  if (refused) tell("");
}
