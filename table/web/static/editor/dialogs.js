// Dialogs: starting, opening and saving.

import { ask, download } from "./api.js";
import { button, el } from "./dom.js";

function dialog(title, ...children) {
  const box = el("dialog", { "aria-label": title },
    el("form", { method: "dialog" },
      el("button", { class: "close", "aria-label": "Close" }, "×")),
    el("h2", {}, title), ...children);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Opens the shipped edition, an empty map or files from disk. */
export function openEdition(store) {
  const shipped = store.look.shipped.map((name) => button(`The shipped map "${name}"`, () =>
    open(store, box, ask("shipped", { name }), `the shipped edition "${name}".`)));
  const files = el("input", {
    id: "files",
    type: "file",
    multiple: true,
    accept: ".toml,.zip",
    onchange: () => openFiles(store, box, [...files.files]),
  });
  const box = dialog("New or open",
    el("h3", {}, "Start from the shipped map"),
    el("p", {}, shipped),
    el("h3", {}, "Start from an empty map"),
    emptyMap(store, () => box),
    el("h3", {}, "Open from your disk"),
    el("p", {}, "The .zip file that the editor saved, or the folder's .toml files together: ",
      files));
}

function emptyMap(store, box) {
  const number = (id) => el("input", { id, type: "number", min: 1, max: 60, value: 20 });
  const [rows, columns] = [number("rows"), number("columns")];
  const start = (event) => {
    event.preventDefault();
    const sizes = { rows: Number(rows.value), columns: Number(columns.value) };
    open(store, box(), ask("new", sizes), "an empty map.");
  };
  return el("form", { onsubmit: start },
    el("label", {}, "Rows ", rows), el("label", {}, "Columns ", columns),
    el("button", {}, "Start"),
    el("p", { class: "hint" }, "It has the names that the rulebooks give. Rows and columns can be ",
      "added and removed later."));
}

async function openFiles(store, box, files) {
  const zip = files.find((file) => file.name.endsWith(".zip"));
  if (zip) return open(store, box, ask("open", await zip.arrayBuffer()), zip.name);
  const texts = await Promise.all(files.map(async (file) => [file.name, await file.text()]));
  return open(store, box, ask("open", { files: Object.fromEntries(texts) }), "your files.");
}

/** Holds the edition of an answer; an error is told in the dialog. */
async function open(store, box, answer, what) {
  box.querySelector(".error")?.remove();
  try {
    const { model, missing = [] } = await answer;
    box.close();
    store.load(model);
    const note = missing.length ? ` Empty, since missing: ${missing.join(", ")}.` : "";
    store.say(`Opened: ${what}${note} Undo brings back what was there.`);
  } catch (error) {
    box.append(el("pre", { class: "error", role: "alert" }, error.message));
  }
}

/** Downloads the folder and says how to play it. */
export async function saveEdition(store) {
  let saved;
  try {
    saved = await ask("save", { model: store.model });
  } catch (error) {
    return store.say(error.message);
  }
  const { folder, zip } = saved;
  download(`${folder}.zip`, zip);
  const { number } = store.answer;
  dialog(`Saved as ${folder}.zip`,
    number
      ? el("p", { class: "error" }, `It has ${number} fault${number > 1 ? "s" : ""} and can't be `,
        "played yet. Open it again to go on.")
      : el("p", {}, "It has no faults."),
    el("p", {}, "Unpack it, then check it and play on it:"),
    el("pre", {}, [
      `unzip ${folder}.zip`,
      `python -m gonzaga_env edition check ${folder}`,
      `gonzaga-play --edition ${folder}`,
    ].join("\n")),
    el("p", {}, "In Python, environments and engines take the folder too:"),
    el("pre", {}, `engine = gonzaga_env.Engine(edition="${folder}")`));
}
