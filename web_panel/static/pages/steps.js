// The settings of one subject as steps on a page of their own: shown as they are, and saved together.

import { ask } from "../common/api.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { SettingsForm } from "../common/types.js" */

/** @param {PageElement} form */
const fields = (form) => /** @type {PageElement[]} */ ([...form.querySelectorAll("input[name]")]);

// Shows in `form` what is set. Of a password there is only whether there is one.
/** @param {PageElement} form */
export async function showSaved(form) {
  /** @type {SettingsForm} */
  const known = await ask("settings");
  const settings = new Map(known.fields.map((field) => [field.name, field]));
  for (const input of fields(form)) {
    const { value, given } = /** @type {any} */ (settings.get(input.getAttribute("name") ?? ""));
    input.value = value;
    if (given !== undefined) input.setAttribute("placeholder", given ? "••••••••" : "");
    const fold = input.closest("form details");
    if (fold && (value || given)) fold.open = true;
  }
}

// Saves what `form` says, and what else is set by it. A password that was not typed again stays as it is.
/** @param {PageElement} form @param {Record<string, any>} [more] */
export async function saved(form, more = {}) {
  /** @type {Record<string, any>} */
  const values = { ...more };
  for (const input of fields(form)) {
    const secret = input.getAttribute("type") === "password";
    if (!secret || input.value) values[input.getAttribute("name") ?? ""] = secret ? input.value : input.value.trim();
  }
  await ask("settings", { values });
}
