// Small helpers that make HTML and SVG elements.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Returns the element with an id.
 *
 * @returns {any} of the kind that the page's HTML has
 */
export const byId = (id) => document.getElementById(id);

/**
 * Returns a new HTML element: attributes, `on...` listeners, then children: texts, nodes, lists of
 * them, or null, undefined and false for none.
 *
 * @returns {any} of the kind that the tag names
 */
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

/** Returns whether nothing shall move: the system asks for it. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Takes the focus from the element that has it. */
export const blur = () => /** @type {any} */ (document.activeElement)?.blur();

/** Returns a button that runs `act`. */
export function button(text, act, attributes = {}) {
  return make("button", { type: "button", onclick: act, ...attributes }, text);
}

/** Returns a listener for buttons that play: the second click of a double click does nothing. */
export const once = (act) => (event) => event.detail > 1 || act();

const missing = (value) => value === undefined || value === null || value === false;

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (missing(value)) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => !missing(child)));
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
