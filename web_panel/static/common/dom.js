// Elements of the page: making them, and changing them so that a screen reader says only what is new.

/**
 * An element as the DOM takes it: what is set becomes text, and what is looked for in it is there.
 * @typedef {object} Lenient
 * @property {(selector: string) => PageElement} querySelector
 * @property {(selector: string) => NodeListOf<PageElement>} querySelectorAll
 * @property {(selector: string) => PageElement} closest
 * @property {(kind: string, act: (event: any) => void, options?: AddEventListenerOptions) => void} addEventListener
 * @property {(name: string, value: string | number | boolean) => void} setAttribute
 * @property {Record<string, any>} dataset
 * @property {any} textContent
 */
/**
 * What an element of the page may have, by its kind.
 * @typedef {Record<"value" | "max" | "href" | "download", any> & Record<"checked" | "disabled" | "open", boolean>
 *   & Pick<HTMLInputElement, "files" | "select" | "selectionStart"> & Pick<HTMLSelectElement, "selectedIndex">
 *   & Pick<HTMLDialogElement, "showModal" | "close"> & Pick<HTMLFormElement, "reportValidity"> & Pick<HTMLTableElement, "rows" | "deleteRow">} Parts
 */
/** @typedef {Lenient & Parts & HTMLElement} PageElement an element that the page has, whatever kind it is */
/** @typedef {Lenient & SVGGraphicsElement} Drawn an element of a drawing */

export const NS = "http://www.w3.org/2000/svg";

// The element of the page with that `id`.
export const $ = /** @type {(id: string) => PageElement} */ ((id) => document.getElementById(id));

// The direction of each arrow key, x to the right and y downwards.
/** @type {Record<string, [number, number]>} */
export const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// An element of SVG with its attributes.
/** @param {string} name @param {Record<string, any>} [attributes] @param {(Node | string)[]} children @returns {Drawn} */
export function svg(name, attributes = {}, ...children) {
  const element = /** @type {Drawn} */ (document.createElementNS(NS, name));
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// An element of HTML with its properties.
/** @template {keyof HTMLElementTagNameMap} Name @param {Name} name @param {Record<string, any>} [properties] @param {(Node | string)[]} children @returns {Lenient & HTMLElementTagNameMap[Name]} */
export function make(name, properties = {}, ...children) {
  const element = /** @type {any} */ (Object.assign(document.createElement(name), properties));
  element.append(...children);
  return element;
}

/** @param {string} textContent @param {(event: any) => void} onclick @param {Record<string, any>} [properties] */
export function button(textContent, onclick, properties = {}) {
  return make("button", { type: "button", textContent, onclick, ...properties });
}

/** @param {Lenient} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text; // else a screen reader would say it again
}

// Adds the style called `name`, which the page does not need at first; resolves once it is there, or is not to be had.
/** @param {string} name @returns {Promise<unknown>} */
export function styled(name) {
  const href = `/static/${name}`;
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((done) => document.head.append(make("link", { rel: "stylesheet", href, onload: done, onerror: done })));
}
