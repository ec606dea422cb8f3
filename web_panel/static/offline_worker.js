// The service worker: where the board does not answer, an honest page says so. Nothing of a game is ever shown from memory.

importScripts("/static/notice_worker.js");

const KEPT = "offline-2";
const PAGE = "/offline", ITS_PARTS = ["/static/panel.css", "/static/pages/out_of_reach.js"];
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", (event) => event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll([PAGE, ...ITS_PARTS]))));
worker.addEventListener("activate", (event) => event.waitUntil(caches.keys().then((names) =>
  Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))))));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(async () => (await caches.match(PAGE)) ?? Response.error()));
  else if (["style", "script"].includes(request.destination)) event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()));
});
