// Small helpers for elements.

const SVG = "http://www.w3.org/2000/svg";

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked") node[key] = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  const shown = (child) => child instanceof Node || typeof child === "string";
  node.append(...children.flat().filter(shown));
  return node;
}

/** Returns an HTML element; attributes named `on...` are listeners. */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Returns an SVG element. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

export const byId = (id) => document.getElementById(id);

/** Returns the address of an SVG text as an image, which can run nothing. */
export const imageOf = (text) => `data:image/svg+xml,${encodeURIComponent(text)}`;

/** Replaces the children of an element; the one with the same `data-key` keeps focus and caret. */
export function refill(parent, ...children) {
  const active = document.activeElement;
  const key = parent.contains(active) ? active.dataset?.key : null;
  const caret = key && active.type === "text" ? [active.selectionStart, active.selectionEnd] : null;
  const scroll = [parent.scrollLeft, parent.scrollTop];
  parent.replaceChildren(...children.flat().filter(Boolean));
  [parent.scrollLeft, parent.scrollTop] = scroll;
  const again = key && parent.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!again) return;
  again.focus({ preventScroll: true });
  if (caret) again.setSelectionRange(...caret);
}

/** Returns a text input that reports its text when it is left or Enter is pressed. */
export function textInput(key, value, onChange, attributes = {}) {
  return el("input", {
    type: "text",
    "data-key": key,
    value,
    maxlength: 120,
    autocomplete: "off",
    spellcheck: "false",
    onchange: (event) => onChange(event.target.value.trim()),
    onkeydown: (event) => event.key === "Enter" && event.target.blur(),
    ...attributes,
  });
}

export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}
