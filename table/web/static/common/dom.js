// Small helpers that make HTML and SVG elements.

const SVG = "http://www.w3.org/2000/svg";

/** Returns the element with an id. */
export const byId = (id) => document.getElementById(id);

/** Returns a new HTML element: attributes, `on...` listeners, then children (texts or nodes). */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Returns a new SVG element. */
export function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Returns an SVG group with markup that this site's own server wrote. */
export function drawn(markup, attributes = {}) {
  const group = makeSvg("g", attributes);
  group.innerHTML = markup;
  return group;
}

/** Returns a button that runs `act`. */
export function button(text, act, attributes = {}) {
  return make("button", { type: "button", onclick: act, ...attributes }, text);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const unsaid = [];

/**
 * Says a sentence to screen readers, through the page's live region. Sentences that come together
 * are said together: otherwise the last would silence the others.
 */
export function announce(text) {
  if (!text) return;
  unsaid.push(text.replace(/\.?\s*$/, ""));
  if (unsaid.length > 1) return;
  setTimeout(() => {
    byId("announcements").textContent = `${unsaid.join(". ")}.`;
    unsaid.length = 0;
  }, 150);
}

/** Returns a count with its noun, such as "1 ring" or "2 rings". */
export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
