// Requests to the service, and the sentence where one was refused.

/**
 * Asks the service, or orders where there is a body. The answer is null where it was refused, and the person told why.
 * @typedef {(path: string, body?: object) => Promise<any>} Send
 */
/** @typedef {(order: object) => any} Give gives an order; what comes of it is as with Send */
/** @typedef {(sentence: string) => void} Tell tells the person something */

import { t } from "./text.js";

// Sends a request, a POST where it has a `body`; resolves to the bare response.
/** @param {string} path @param {object} [body] @param {RequestInit} [more] */
export function request(path, body, more = {}) {
  return fetch(`/api/${path}`, body && {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), ...more,
  });
}

// Sends a request; resolves to the answer, or throws an Error with the sentence for the person who asked.
/** @param {string} path @param {object} [body] @returns {Promise<any>} */
export async function ask(path, body) {
  /** @type {Response} */
  let answer;
  try {
    answer = await request(path, body);
  } catch {
    throw new Error(t("The board did not answer. Is it switched on and on the same network?"));
  }
  const read = await answer.json().catch(() => ({ error: `The board answered with ${answer.status}.` }));
  if (!answer.ok) throw new Error(read.error);
  return read;
}

// As `ask`, but gives the sentence to `tell` and resolves to null.
/** @param {string} path @param {object | undefined} body @param {Tell} tell @returns {Promise<any>} */
export async function askOrTell(path, body, tell) {
  try {
    return await ask(path, body);
  } catch (error) {
    tell(messageOf(error));
    return null;
  }
}

// The sentence of what was thrown.
/** @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
