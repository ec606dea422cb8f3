// What a phone shows when the board tells it that it is its turn, and where a tap on that leads. It runs without a page.

const NAME = "Beaconboard";
const LINKS = "links"; // as push.js keeps them: the link of a page far away, by this worker's scope
const noticing = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

noticing.addEventListener("push", (event) => {
  const { title, body } = told(event.data);
  const { scope } = noticing.registration;
  event.waitUntil(noticing.registration.showNotification(title, { body, tag: `turn ${scope}`, icon: "/static/icon-192.png" }));
});

// Browsers want something to be shown for all that comes, even for what cannot be read.
/** @param {PushMessageData | null} data @returns {{ title: string, body: string }} */
function told(data) {
  try {
    return /** @type {PushMessageData} */ (data).json();
  } catch {
    return { title: NAME, body: "" };
  }
}

noticing.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage());
});

async function openPage() {
  const kept = await (await caches.open(LINKS)).match(noticing.registration.scope);
  const link = await kept?.text();
  const pages = await noticing.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => !link || url === link);
  return page ? page.focus() : noticing.clients.openWindow(link ?? "/");
}
