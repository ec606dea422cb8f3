// The texts of the scripts, in the language of the page.

const MESSAGES = JSON.parse(document.getElementById("messages")?.textContent ?? "{}");

// The text in the language of the page, with `{name}`s replaced by values.
export function t(text, values = {}) {
  return (MESSAGES[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
