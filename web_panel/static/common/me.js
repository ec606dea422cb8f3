// What this phone remembers of who holds it, for the next table.

import { choose, chosen } from "./device.js";

// What is sent when this phone asks to join: what it remembers of its person.
export function remembered() {
  const [name, colour, profile] = ["name", "colour", "profile"].map((key) => chosen(key, ""));
  return { ...(name ? { name } : {}), ...(colour ? { colour } : {}), ...(profile ? { profile } : {}) };
}

// Keeps who holds this phone, as the board knows that person.
/** @param {{ name: string, colour: string, id: string }} person */
export function remember({ name, colour, id }) {
  for (const [key, value] of Object.entries({ name, colour, profile: id })) choose(key, value);
}
