// Elements of the page: making them, and changing them so that a screen reader says only what is new.

export const NS = "http://www.w3.org/2000/svg";

// The direction of each arrow key, x to the right and y downwards.
export const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// An element of SVG with its attributes.
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// An element of HTML with its properties.
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

export function button(textContent, onclick, properties = {}) {
  return make("button", { type: "button", textContent, onclick, ...properties });
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text; // else a screen reader would say it again
}
