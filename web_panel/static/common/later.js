// Scripts that are fetched when they are first wanted, also while the service is away. Knows none of them.

// That one cannot be fetched then is no fault: the banner tells of it, and the next press asks again.
/** @param {unknown} error @returns {any} */
export function whileAway(error) {
  if (!(error instanceof TypeError)) throw error;
}

addEventListener("unhandledrejection", (event) => /import/i.test(event.reason?.message) && event.preventDefault());

// Fetches with the first of these events, and again with the next one where that failed.
/** @param {string[]} kinds @param {() => Promise<any>} load */
export function onPress(kinds, load) {
  const press = () => load().catch((/** @type {unknown} */ error) => {
    whileAway(error);
    onPress(kinds, load);
  });
  const once = new AbortController();
  for (const kind of kinds) addEventListener(kind, () => (once.abort(), press()), { signal: once.signal, capture: true, passive: true });
}
