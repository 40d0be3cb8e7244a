// Dialogs: starting, opening and saving.

import { editor as ask } from "../common/api.js";
import { button, make } from "../common/dom.js";
import { language, plural, words } from "../words/index.js";
import { drafts } from "./drafts.js";

const said = words.editor;

function dialog(title, ...children) {
  const box = make("dialog", { "aria-label": title },
    make("form", { method: "dialog" },
      make("button", { class: "close", "aria-label": words.table.page.close }, "×")),
    make("h2", {}, title), ...children);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** Opens the shipped edition, an empty map or files from disk. */
export function openEdition(store) {
  const shipped = store.look.shipped.map((name) => button(said.shipped(name), () =>
    open(store, box, ask("shipped", { name }), said.theShipped(name))));
  const files = make("input", {
    id: "files",
    type: "file",
    multiple: true,
    accept: ".toml,.zip",
    onchange: () => openFiles(store, box, [...files.files]),
  });
  const box = dialog(said.openTitle,
    make("h3", {}, said.shippedHeading),
    make("p", {}, shipped),
    make("h3", {}, said.emptyHeading),
    emptyMap(store, () => box),
    ...keptDrafts(store, () => box),
    make("h3", {}, said.diskHeading),
    make("label", {}, `${said.diskHint} `, files));
}

/** Returns the maps that this browser keeps, of other tabs too. */
function keptDrafts(store, box) {
  const others = drafts().filter(({ id }) => id !== store.draft?.id);
  if (!others.length) return [];
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const rows = others.map(({ model, saved }) => {
    const name = `${model.name}${saved ? `, ${date.format(saved)}` : ""}`;
    return button(name, () => open(store, box(), Promise.resolve({ model }), name));
  });
  return [make("h3", {}, said.drafts), make("p", {}, rows)];
}

function emptyMap(store, box) {
  const number = (id) => make("input", { id, type: "number", min: 1, max: 60, value: 20 });
  const [rows, columns] = [number("rows"), number("columns")];
  const start = (event) => {
    event.preventDefault();
    const sizes = { rows: Number(rows.value), columns: Number(columns.value) };
    open(store, box(), ask("new", sizes), said.emptyMap);
  };
  return make("form", { onsubmit: start },
    make("label", {}, `${said.rows} `, rows), make("label", {}, `${said.columns} `, columns),
    make("button", {}, said.start),
    make("p", { class: "hint" }, said.emptyHint));
}

async function openFiles(store, box, files) {
  const zip = files.find((file) => file.name.endsWith(".zip"));
  if (zip) return open(store, box, ask("open", await zip.arrayBuffer()), zip.name);
  const texts = await Promise.all(files.map(async (file) => [file.name, await file.text()]));
  return open(store, box, ask("open", { files: Object.fromEntries(texts) }), said.yourFiles);
}

/** Holds the edition of an answer; an error is shown in the dialog. */
async function open(store, box, answer, what) {
  box.querySelector(".error")?.remove();
  try {
    const { model, missing = [] } = await answer;
    box.close();
    store.load(model);
    const note = missing.length ? said.missing(missing.join(", ")) : "";
    store.say([said.opened(what), note, said.undoBrings].filter(Boolean).join(" "));
  } catch (error) {
    box.append(make("pre", { class: "error", role: "alert" }, error.message));
  }
}

/** Offers bytes in base64 as a download. */
function download(name, base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/zip" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
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
  dialog(said.savedAs(`${folder}.zip`),
    number
      ? make("p", { class: "error" }, plural(number, said.savedFaults))
      : make("p", {}, said.savedClean),
    make("p", {}, said.playHere),
    make("p", {}, said.playThere),
    make("pre", {}, [
      `unzip ${folder}.zip`,
      `python -m gonzaga_env edition check ${folder}`,
      `gonzaga-play --edition ${folder}`,
    ].join("\n")),
    make("p", {}, said.inPython),
    make("pre", {}, `engine = gonzaga_env.Engine(edition="${folder}")`));
}
