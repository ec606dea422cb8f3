// The texts of the scripts, in the language of the page.

/** @type {Record<string, string>} */
const MESSAGES = JSON.parse(document.getElementById("messages")?.textContent ?? "{}");

const ELIDED = /\b([Dd]|[Qq]u)e (?!\w\d)(?=[aeiouàâéèêîôAEIOUÀÂÉÈÊÎÔ])/g; // not before a cell such as a3

// The text in the language of the page, with `{name}`s replaced by values: « de Ann » is « d’Ann » as in what the service says.
/** @param {string} text @param {Record<string, any>} [values] */
export function t(text, values = {}) {
  const said = (MESSAGES[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  return document.documentElement.lang === "fr" ? said.replace(ELIDED, "$1’").replace(/(^| )(d|à)e? le plateau/gi, (_, gap, word) => `${gap}${word === "d" ? word : "a"}u plateau`) : said;
}

// Adds the texts of scripts that were loaded later than the page.
/** @param {Record<string, string>} more */
export function learn(more) {
  Object.assign(MESSAGES, more);
}

// These names as they are said together: "Ann, Ben and Clara".
/** @param {string[]} names */
export function all(names) {
  const { lang } = document.documentElement;
  return new Intl.ListFormat(lang === "en" ? "en-GB" : lang).format(names);
}
