// Links for the other people at a table.

import { button, make } from "../common/dom.js";
import { invitation, tableOf } from "../common/storage.js";
import { fill, words } from "../words/index.js";

const said = words.table.invitation;

/** Shows a link for each seat that this browser's owner gave to somebody else. */
export function showInvitations(box, id, own, over) {
  const kept = tableOf(id);
  const seats = over ? [] : (kept?.invited ?? []).filter((seat) => seat !== own);
  box.hidden = !seats.length;
  box.append(...seats.map((seat) => invitationRow(id, seat, kept.tokens[seat])));
}

/** Takes away the links of those who have come. */
export function hideUsed(box, present) {
  for (const row of box.querySelectorAll(".invitation")) {
    if (present.includes(Number(row.dataset.seat))) row.remove();
  }
  box.hidden = !box.querySelector(".invitation");
}

function invitationRow(id, seat, token) {
  const link = invitation(id, seat, token);
  const label = fill(said.label, seat + 1);
  const input = make("input", { readonly: true, value: link, "aria-label": label });
  input.addEventListener("focus", () => input.select());
  const copy = button(said.copy, async () => {
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      // Browsers offer the clipboard to pages of this machine and of HTTPS alone.
      input.select();
      document.execCommand("copy");
    }
    copy.textContent = said.copied;
  });
  return make("p", { class: "invitation", "data-seat": seat }, fill(said.player, seat + 1), input, copy);
}
