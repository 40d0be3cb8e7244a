// The one button that takes back: what is chosen now, else what was played last.

import { button } from "../common/dom.js";
import { words } from "../words/index.js";

/**
 * Returns the Undo of a choice, which has `pending` (whether there is something to take back here),
 * `cancel()`, and `takeBack()`, which asks the server, or null.
 */
export function undoButton(choice, label = words.table.undo) {
  const attributes = { class: "undo", title: words.table.undoTitle, "aria-label": words.table.undo };
  return button(label, () => (choice.pending ? choice.cancel() : choice.takeBack?.()), attributes);
}
