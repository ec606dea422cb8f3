// The texts of the scripts, in the language of the page.

const texts = document.getElementById("messages");
/** @type {Record<string, string>} */
const MESSAGES = JSON.parse(texts?.textContent ?? "{}");
/** @type {[before: string, after: string][]} */
const JOINED = JSON.parse(texts?.dataset.joined ?? "[]");

// The text in the language of the page, with `{name}`s replaced by values: « de Ann » is « d’Ann » as in what the service says.
/** @param {string} text @param {Record<string, any>} [values] */
export function t(text, values = {}) {
  const said = (MESSAGES[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  return JOINED.reduce((told, [before, after]) => told.replace(new RegExp(before, "g"), after), said);
}

// Adds the texts of scripts that were loaded later than the page.
/** @param {Record<string, string>} more */
export function learn(more) {
  Object.assign(MESSAGES, more);
}

// These names as they are said together: "Ann, Ben and Clara", or where one of them is enough "Ann, Ben or Clara".
/** @param {string[]} names @param {Intl.ListFormatType} [type] */
export function all(names, type) {
  const { lang } = document.documentElement;
  return new Intl.ListFormat(lang === "en" ? "en-GB" : lang, { type }).format(names);
}
