// What this phone remembers of who holds it, for the next table.

import { choose, chosen } from "./device.js";

const EVENING_MS = 12 * 3_600_000, TIMES = 2;

// Whether a page that is open asks for a name: no more than two do so in an evening, however often it is loaded.
export function asksName() {
  const [since, times] = chosen("asked", [0, 0]);
  const [begun, before] = Date.now() - since < EVENING_MS ? [since, times] : [Date.now(), 0];
  if (before < TIMES) choose("asked", [begun, before + 1]);
  return before < TIMES;
}

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
