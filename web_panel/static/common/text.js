// The texts of the scripts, in the language of the page.

/** @type {Record<string, string>} */
const MESSAGES = JSON.parse(document.getElementById("messages")?.textContent ?? "{}");

// The text in the language of the page, with `{name}`s replaced by values.
/** @param {string} text @param {Record<string, any>} [values] */
export function t(text, values = {}) {
  return (MESSAGES[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// Adds the texts of scripts that were loaded later than the page.
/** @param {Record<string, string>} more */
export function learn(more) {
  Object.assign(MESSAGES, more);
}
