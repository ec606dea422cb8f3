// Requests to the service, and the sentence where one was refused.

import { t } from "./text.js";

// Sends a request, a POST where it has a `body`; resolves to the bare response.
export function request(path, body, more = {}) {
  return fetch(`/api/${path}`, body && {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), ...more,
  });
}

// Sends a request; resolves to the answer, or throws an Error with the sentence for the person who asked.
export async function ask(path, body) {
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
export async function askOrTell(path, body, tell) {
  try {
    return await ask(path, body);
  } catch (error) {
    tell(error.message);
    return null;
  }
}
