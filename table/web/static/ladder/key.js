// The key under which the server keeps a person's games: shown, brought along, forgotten.

import * as api from "../common/api.js";
import { button, byId, make } from "../common/dom.js";
import { PLAYER_KEY, playerKey, setPlayerKey } from "../common/storage.js";
import { plural, words } from "../words/index.js";

const said = words.ladder;

/** Shows what can be done with the key; `changed()` runs when it is another one. */
export function showKey(box, changed) {
  const key = playerKey();
  const note = make("p", { role: "status" });
  const tell = (act) => () => act().catch((error) => (note.textContent = error.message));
  box.replaceChildren(
    make("p", {}, said.keyText),
    ...(key ? own(key, note, tell(() => forget(key, changed))) : [make("p", {}, said.noKey)]),
    entry(note, changed),
    note,
  );
}

/** Returns the parts of somebody who has a key. */
function own(key, note, onForget) {
  const shown = make("input", { readonly: true, hidden: true, value: key, "aria-label": said.keyLabel });
  const copy = button(said.copyKey, async () => {
    shown.select();
    await navigator.clipboard?.writeText(key).catch(() => document.execCommand("copy"));
    note.textContent = said.copied;
  }, { hidden: true, id: "copy-key" });
  const show = button(said.showKey, () => {
    shown.hidden = copy.hidden = false;
    show.hidden = true;
    shown.select();
  }, { id: "show-key" });
  return [make("p", { class: "buttons" }, show, shown, copy, button(said.forget, onForget, { id: "forget" }))];
}

async function forget(key, changed) {
  if (!confirm(said.forgetSure)) return;
  const { forgotten } = await api.forgetPerson(key);
  setPlayerKey(null);
  await changed();
  byId("key").querySelector("[role=status]").textContent = plural(forgotten, said.forgotten);
}

/** Returns the field for the key of another browser. */
function entry(note, changed) {
  const field = make("input", { autocomplete: "off", spellcheck: "false", id: "new-key" });
  const use = async (event) => {
    event.preventDefault();
    const key = field.value.trim();
    if (!PLAYER_KEY.test(key)) {
      note.textContent = said.badKey;
    } else if (!playerKey() || playerKey() === key || confirm(said.replacesKey)) {
      setPlayerKey(key);
      await changed();
    }
  };
  return make("form", { class: "buttons", onsubmit: use },
    make("label", {}, `${said.enterKey} `, field), make("button", {}, said.useKey));
}
