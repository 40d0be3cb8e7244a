// The editor of editions: its parts put together.

import { editor as ask } from "../common/api.js";
import { blur, byId, make } from "../common/dom.js";
import { words } from "../words/index.js";
import { drawObjectives, drawScenarios } from "./cards.js";
import { openEdition, saveEdition } from "./dialogs.js";
import { Draft } from "./drafts.js";
import { Drawing } from "./drawing.js";
import { drawFaults } from "./faults.js";
import { Fiefs } from "./fiefs.js";
import { imageOf, refill } from "./fields.js";
import { MapView } from "./map.js";
import { Panel } from "./panel.js";
import { playOn } from "./play.js";
import { Store } from "./store.js";

const FILES = { map: "board", fiefs: "fiefs", scenarios: "scenarios", objectives: "objectives" };
const PAUSE = 250; // milliseconds without a change, before the edition is checked

const store = new Store();
const say = (text) => (byId("where").textContent = text);
store.say = (text) => (byId("status").textContent = text);
let wanted = null; // the key of what gets the focus once it is drawn
store.focus = (key) => {
  wanted = key;
  requestAnimationFrame(focusWanted);
};
const map = new MapView(store, say);
const panel = new Panel(store, map);
const fiefs = new Fiefs(store);
const themeName = () => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");

const views = {
  map: () => (map.draw(byId("work")), panel.draw(byId("panel"))),
  fiefs: () => fiefs.draw(byId("work"), byId("panel")),
  scenarios: () => drawScenarios(byId("work"), byId("panel"), store),
  objectives: () => drawObjectives(byId("work"), byId("panel"), store),
  picture: drawPicture,
};

function draw() {
  const { model, ui, past, future } = store;
  const rows = model.map.length, columns = model.map[0].length;
  ui.cursor = [Math.min(ui.cursor[0], rows - 1), Math.min(ui.cursor[1], columns - 1)]
    .map((value) => Math.max(0, value));
  byId("undo").disabled = !past.length;
  byId("redo").disabled = !future.length;
  byId("name").value = model.name;
  byId("reconstruction").checked = model.reconstruction;
  drawTabs();
  document.body.dataset.tab = ui.tab;
  views[ui.tab]();
  drawFaults(byId("faults"), store, map);
  if (fresh) document.body.dataset.checked = "yes";
  if (wanted !== null) requestAnimationFrame(focusWanted);
}

/** Focuses what is wanted; drawing may have to wait, so it may not be there yet. */
function focusWanted() {
  /** @type {HTMLElement} */
  const found = wanted === null ? null : document.querySelector(`[data-key="${CSS.escape(wanted)}"]`);
  if (!found) return;
  wanted = null;
  found.focus();
}

function drawTabs() {
  refill(byId("tabs"), Object.entries(words.editor.tabs).map(([tab, title]) => {
    const number = store.answer.faults.filter(({ file }) => file === FILES[tab]).length;
    return make("button", {
      type: "button",
      role: "tab",
      "aria-selected": String(store.ui.tab === tab),
      "data-key": `tab ${tab}`,
      onclick: () => store.show({ tab, flash: [] }),
    }, title, number ? make("span", { class: "badge", title: words.editor.badge }, String(number)) : "");
  }));
}

// Checking: after a pause, and only the last answer counts.

let timer = null;
let asked = 0;
let fresh = false; // whether the faults are those of the edition as it is

function checkSoon() {
  clearTimeout(timer);
  asked += 1; // what is under way is out of date
  fresh = false;
  document.body.dataset.checked = "no";
  timer = setTimeout(check, PAUSE);
}

const whatFailed = ({ code, message }) =>
  code === "offline" ? `${message} ${words.editor.isKept}` : message;

async function check() {
  const number = (asked += 1);
  let answer;
  try {
    answer = await ask("check", { model: store.model });
  } catch (error) {
    answer = { ...store.answer, faults: [], number: 0, warnings: [], error: whatFailed(error) };
  }
  if (number !== asked) return;
  store.answer = answer;
  fresh = true;
  store.changed();
}

// The picture is drawn when it is looked at.

let pictured = null; // the model and theme of the picture that is shown

async function drawPicture() {
  const theme = themeName();
  const key = JSON.stringify([store.model, theme]);
  if (pictured === key) return;
  pictured = key;
  refill(byId("panel"), make("p", { class: "hint" }, words.editor.pictureHint));
  try {
    const { svg } = await ask("picture", { model: store.model, theme });
    if (pictured !== key || store.ui.tab !== "picture") return;
    refill(byId("work"), svg
      ? make("div", { class: "scroll" }, make("img", {
        id: "picture", src: imageOf(svg), alt: words.editor.pictureOf(store.model.name),
      }))
      : make("p", { class: "sheet" }, words.editor.noPicture));
    if (svg) {
      byId("panel").append(make("a", {
        href: imageOf(svg), download: "map.svg", class: "add",
      }, words.editor.downloadPicture));
    }
  } catch (error) {
    refill(byId("work"), make("p", { class: "sheet error" }, error.message));
  }
}

function listen() {
  byId("open").onclick = () => openEdition(store);
  byId("save").onclick = () => saveEdition(store);
  byId("play").onclick = () => playOn(store);
  byId("undo").onclick = () => store.undo();
  byId("redo").onclick = () => store.redo();
  byId("name").onchange = ({ target }) => store.edit((model) => (model.name = target.value.trim()));
  byId("reconstruction").onchange = ({ target }) =>
    store.edit((model) => (model.reconstruction = target.checked));
  document.addEventListener("keydown", (/** @type {any} */ event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    const key = event.key.toLowerCase();
    if (key === "s") {
      event.preventDefault();
      blur();
      saveEdition(store);
    } else if (!event.target.matches("input[type=text], #name")) {
      if (key === "z" && !event.shiftKey) store.undo();
      else if (key === "y" || key === "z") store.redo();
      else return;
      event.preventDefault();
    }
  });
  window.addEventListener("resize", () => store.changed());
  window.addEventListener("theme", () => {
    dress();
    store.changed();
  });
}

/** Takes the colours of the theme. */
function dress() {
  const theme = store.look.themes[themeName()];
  Object.assign(store.look, { theme, regions: theme.regions, seas: theme.seas });
}

async function start() {
  try {
    store.look = await ask("look");
    dress();
    store.draft = new Draft();
    store.model = await store.draft.begin();
    const kept = store.model !== null;
    if (!kept) store.model = (await ask("new", { rows: 20, columns: 20 })).model;
    listen();
    const drawing = new Drawing(draw);
    store.onChange((edited) => {
      if (store.ui.tab !== "picture") pictured = null;
      if (edited) checkSoon();
      drawing.ask();
    });
    draw();
    await check();
    store.say(kept ? words.editor.welcomeBack : "");
    if (!kept) openEdition(store);
  } catch (error) {
    refill(byId("work"), make("p", { class: "sheet error" }, error.message));
  }
}

start();
