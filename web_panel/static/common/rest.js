// A finger that rests: the long press on a cell or on the banner.

const REST_MS = 600;
const MOVED_PX = 12;

// Calls `act` with the event that began it, each time a finger rests on `element`; where it moves away it does not.
/** @param {EventTarget} element @param {(event: any) => void} act */
export function onRest(element, act) {
  element.addEventListener("pointerdown", (/** @type {any} */ event) => {
    const stop = new AbortController();
    const rested = setTimeout(() => act(event), REST_MS);
    const end = () => {
      clearTimeout(rested);
      stop.abort();
    };
    document.addEventListener("pointermove", ({ clientX, clientY }) =>
      Math.hypot(clientX - event.clientX, clientY - event.clientY) > MOVED_PX && end(), { signal: stop.signal, capture: true });
    for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, end, { signal: stop.signal, capture: true });
  }, { capture: true });
}
