// What this phone has chosen for itself: a name, a colour, sounds, which side of the board is near. It stays on the phone.

const KEY = "beaconboard";

/** @returns {Record<string, any>} */
function all() {
  try {
    return JSON.parse(/** @type {string} */ (localStorage.getItem(KEY))) ?? {};
  } catch {
    return {}; // a browser that keeps nothing, or something else that was kept
  }
}

// The choice called `name`, else `otherwise`.
/** @param {string} name @param {any} otherwise */
export function chosen(name, otherwise) {
  return all()[name] ?? otherwise;
}

// The level at which the board was last played against here in `game`; nobody meets more than the first one at first.
/** @param {string} game @returns {number} */
export const usual = (game) => chosen(`level ${game}`, 1);
export const LEVELS = 8; // at which the board plays
// The one that is offered: nobody gets again what was beaten, as far as that is known; but who has just lost meets no stronger one.
/** @param {string} game @param {{ level: number }} [reached] */
export const offered = (game, reached) => (chosen(`lost ${game}`, false) ? usual(game) : Math.max(usual(game), Math.min(LEVELS, (reached?.level ?? 0) + 1)));

// Keeps a choice; null forgets it.
/** @param {string} name @param {any} value */
export function choose(name, value) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [name]: value ?? undefined }));
  } catch { /* then it holds until the page is left */ }
}

// Whether the board is opened by the address that only its own computer has for it.
export const onItsComputer = () => /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
