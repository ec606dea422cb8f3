// The page as an app: Back closes what is open, the screen stays on while a game runs, and it can be installed.

import { button } from "./dom.js";
import { t } from "./text.js";

const OFFLINE_PAGE_AFTER_MS = 5000; // so that nothing of it delays the first load

// Lets the phone's Back close `dialog`, instead of leaving the page.
/** @param {HTMLDialogElement} dialog */
export function backCloses(dialog) {
  history.scrollRestoration = "manual"; // else the page goes back, too, to where it was scrolled when the dialog was opened
  const opened = () => {
    if (dialog.open) history.pushState({ dialog: dialog.id }, "");
    else if (history.state?.dialog === dialog.id) history.back();
  };
  new MutationObserver(opened).observe(dialog, { attributeFilter: ["open"] });
  addEventListener("popstate", () => dialog.open && history.state?.dialog !== dialog.id && dialog.close());
}

// A page that comes back from where one of its dialogs led has not that one open: it leaves the step to it behind, or the next Back would
// only do that.
if (history.state?.dialog) history.back();

/** @type {{ screen: WakeLockSentinel | null, wanted: boolean }} */
const held = { screen: null, wanted: false };

// Keeps the screen on while `wanted`. Browsers allow it to pages that came by https, or from this very machine.
/** @param {boolean} wanted */
export async function stayAwake(wanted) {
  if (held.wanted === wanted && (held.screen || !wanted)) return;
  held.wanted = wanted;
  if (!wanted) {
    held.screen?.release();
    held.screen = null;
  } else if (navigator.wakeLock && !document.hidden) {
    held.screen = await navigator.wakeLock.request("screen").catch(() => null);
    held.screen?.addEventListener("release", () => (held.screen = null)); // the browser does so when the page is hidden
    if (!held.wanted) held.screen?.release();
  }
}

/** @type {any} */
let install = null;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // it is offered in the menu, not over the board
  install = event;
});

// A button that installs the page as an app, or null where the browser does not offer that.
export function installButton() {
  return install && button(t("Install as an app"), () => install.prompt().then(() => (install = null)));
}

if (navigator.serviceWorker && !document.body.classList.contains("far")) setTimeout(() => navigator.serviceWorker.register("/offline.js").catch(() => {}), OFFLINE_PAGE_AFTER_MS);
