// This browser's subscription to notices that come while no page is open (Web Push), and the worker that shows them.

import { ask, messageOf } from "../common/api.js";
import { chosen, choose } from "../common/device.js";
import { t } from "../common/text.js";

// Where a worker finds the link that opens its page, which is kept nowhere else.
const LINKS = "links";
const PATIENCE_MS = 12_000;

const room = () => document.body.dataset.room ?? "";
const wanted = () => `notices${room()}`; // each link is another seat

// Whether notices come while the page is closed, too; `why` says why not, `key` is the board's, "" until it is known.
export const push = { on: false, key: "", why: "" };

// Whether the person wants notices here, and the browser lets this page give them.
export const allowed = () => chosen(wanted(), false) && globalThis.Notification?.permission === "granted";

// The worker of this page. Each link of a relay has one of its own: its board has a key of its own.
export async function worker() {
  const { serviceWorker } = navigator;
  const made = await (room() ? serviceWorker.register("/notices.js", { scope: `/${room()}` }) : serviceWorker.register("/offline.js"));
  const running = made.active ?? made.waiting ?? made.installing;
  if (running && running.state !== "activated") {
    await new Promise((done) => running.addEventListener("statechange", () => ["activated", "redundant"].includes(running.state) && done(true)));
  }
  return made;
}

/** @param {ServiceWorkerRegistration} worker */
export const tagOf = ({ scope }) => `turn ${scope}`;

// Learns whether the board can send notices to a page that is closed.
export async function prepare() {
  if (!globalThis.PushManager) {
    push.why = t("This browser takes no notices while the page is closed. On an iPhone or iPad, add the page to the Home Screen first.");
    return;
  }
  if (push.key) return;
  try {
    Object.assign(push, await ask("notices"));
  } catch (error) {
    push.why = messageOf(error);
  }
}

/** @param {ArrayBuffer | null} bytes */
const written = (bytes) => btoa(String.fromCharCode(...new Uint8Array(/** @type {ArrayBuffer} */ (bytes)))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** @type {Promise<any>} */
let last = Promise.resolve();

// One after the other, so that what is switched off stays so.
/** @param {() => Promise<any>} act */
const inTurn = (act) => (last = last.catch(() => {}).then(act));

// Subscribes, or finds that this browser has, and tells the board; what it has learned is in `push`.
export const renew = () => inTurn(subscribed);

async function subscribed() {
  push.on = false;
  await prepare();
  if (!push.key || !allowed()) return;
  try {
    const made = await worker();
    const { kept } = await ask("notices", (await subscription(made)).toJSON());
    if (room()) await (await caches.open(LINKS)).put(made.scope, new Response(location.href));
    push.on = kept;
    push.why = kept ? "" : t("Notices come to the phone that holds a seat: take one under People.");
  } catch (error) {
    push.why = error instanceof DOMException ? t("The browser's own service for notices did not answer: they come only while the page is open.") : messageOf(error);
  }
}

const silence = () => new Promise((_, fail) => setTimeout(() => fail(new DOMException("", "TimeoutError")), PATIENCE_MS));

// Without a way to its maker a browser may say nothing at all.
/** @param {ServiceWorkerRegistration} made @returns {Promise<PushSubscription>} */
const subscription = (made) => Promise.race([subscribedBy(made), silence()]);

/** @param {ServiceWorkerRegistration} made */
async function subscribedBy({ pushManager }) {
  const known = await pushManager.getSubscription();
  if (known && written(known.options.applicationServerKey) === push.key) return known;
  await known?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: push.key });
}

// Asks the person for the browser's leave; only ever at a press.
export async function switchOn() {
  if ((await Notification.requestPermission()) !== "granted") return;
  choose(wanted(), true);
  await renew();
}

export function switchOff() {
  choose(wanted(), null);
  return inTurn(unsubscribed);
}

async function unsubscribed() {
  push.on = false;
  const made = await worker();
  const known = await made.pushManager?.getSubscription();
  if (known) {
    await ask("notices/stop", { endpoint: known.endpoint }).catch(() => {}); // the push service will tell the board
    await known.unsubscribe();
  }
  await (await caches.open(LINKS)).delete(made.scope);
}
