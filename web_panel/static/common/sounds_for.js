// What is heard on this phone: "off", "sounds", or "speech", which has sounds too.

import { chosen } from "./device.js";

/** @import { You } from "./types.js" */

/** @param {You | null} you */
export function soundsFor(you) {
  const own = chosen("sounds", you?.panel.sounds);
  return own === true ? "sounds" : own || "off";
}
