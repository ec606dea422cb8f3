// Leads on: by http to the pages by https where this phone still trusts them, else back; by https to the panel.

import { ask } from "../common/api.js";
import { goOver, stay, trusts } from "../common/go_over.js";

const { address, here } = document.body.dataset;
const given = location.hash.slice(1);

/** @param {string} rest */
function toPanel(rest) {
  location.replace(rest ? `/#${rest}` : "/");
}

async function arrive() {
  const [word, ...rest] = given.split(",");
  if (word) await ask("secure/arrive", { word }).catch(() => {}); // too late: the panel offers to join
  toPanel(rest.join(","));
}

async function leave() {
  if (address && (await trusts(address))) {
    await goOver(address, given);
    return;
  }
  stay();
  toPanel(given);
}

if (here) arrive();
else leave();
