// A second browser on the board's own computer becomes a phone of its own.

import { askOrTell } from "../common/api.js";
import { remembered } from "../common/me.js";

/** @import { PageElement } from "../common/dom.js" */

const find = /** @type {(selector: string) => PageElement} */ ((selector) => document.querySelector(selector));

find("#apart").addEventListener("click", async () => {
  const answer = await askOrTell("pair/apart", remembered(), (sentence) => (find("#told").textContent = sentence));
  if (answer) location.assign("/");
});
