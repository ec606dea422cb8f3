// Copying text, also on pages that came by plain http.

// Copies `text`; resolves to whether that worked.
/** @param {string} text @returns {Promise<boolean>} */
export async function copied(text) {
  return await navigator.clipboard?.writeText(text).then(() => true, () => false) ?? copiedBySelection(text);
}

// Pages that came by plain http have no clipboard of their own. While a dialog is open nothing outside it can be selected.
/** @param {string} text */
function copiedBySelection(text) {
  const box = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
  (document.querySelector("dialog[open]") ?? document.body).append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}
