// Fields of the editor that keep focus and text while the page is redrawn, and pictures.

import { make } from "../common/dom.js";

/** Returns the address of an SVG text as an image, which can run nothing. */
export const imageOf = (text) => `data:image/svg+xml,${encodeURIComponent(text)}`;

/** Replaces the children of an element; the one with the same `data-key` keeps focus and caret. */
export function refill(parent, ...children) {
  /** @type {any} */
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
  return make("input", {
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
