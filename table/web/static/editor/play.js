// Playing on the map as it is: the server checks and keeps it, and the lobby opens a table on it.

import { editor as ask } from "../common/api.js";
import { byId } from "../common/dom.js";
import { words } from "../words/index.js";

/** Sends the map and goes to the lobby with it; says what is missing if it can't be played on. */
export async function playOn(store) {
  byId("play").disabled = true;
  store.say(words.editor.sending);
  try {
    const { id } = await ask("keep", { model: store.model });
    location.assign(`/?${new URLSearchParams({ game: "gonzaga", edition: id })}`);
  } catch (error) {
    store.say(error.code === "faults" ? words.editor.hasFaults(store.answer.number) : error.message);
  } finally {
    byId("play").disabled = false;
  }
}
