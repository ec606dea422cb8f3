// The way from the board's pages by http to those by https, for a phone that trusts the board's certificate.

import { ask } from "./api.js";

const PATIENCE_MS = 6000; // a phone that does not trust says so at once; the board may be busy for a moment
const DAYS = 180;

/** @param {number} days */
function remember(days) {
  document.cookie = `trusts-the-board=1; path=/; max-age=${days * 86_400}; samesite=lax`;
}

// Whether this phone trusts the pages at `address`.
/** @param {string} address */
export async function trusts(address) {
  try {
    const answer = await fetch(`${address}/api/secure/here`, { credentials: "omit", cache: "no-store", signal: AbortSignal.timeout?.(PATIENCE_MS) });
    return answer.ok;
  } catch {
    return false;
  }
}

// Goes on at `address` with this phone's place at the table, and with `rest`, what followed # in the address of the page.
/** @param {string} address @param {string} rest */
export async function goOver(address, rest = "") {
  const { word } = await ask("secure/over", {}).catch(() => ({ word: "" })); // who has not joined has no place to take along
  remember(DAYS);
  location.replace(`${address}/secure/over#${word},${rest}`);
}

// From now on this phone stays at the pages by http.
export function stay() {
  remember(0);
}
