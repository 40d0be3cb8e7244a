"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const last = data.frames.length - 1;
/** @returns {any} */
const by = (id) => document.getElementById(id);
const groups = new Map();
let move = 0, timer = null;

// A layer as an SVG group, made once; a copy for each place where it is shown.
function group(index, place) {
  const key = `${place}/${index}`;
  if (!groups.has(key)) {
    const g = document.createElementNS(SVG, "g");
    g.innerHTML = data.layers[index].map((element) => data.elements[element]).join("");
    groups.set(key, g);
  }
  return groups.get(key);
}

function words(line) {
  const span = document.createElement("span");
  const [seat, text] = line;
  if (seat === null) {
    span.className = "table";
    span.textContent = text;
  } else {
    const name = document.createElement("b");
    name.textContent = data.names[seat];
    name.style.borderColor = `var(--player${seat})`;
    span.append(name, " " + text);
  }
  return span;
}

function show(wanted) {
  move = Math.min(Math.max(wanted, 0), last);
  const frame = data.frames[move];
  by("board").replaceChildren(...frame.board.map((index) => group(index, "board")));
  document.querySelectorAll(".panel").forEach((panel, seat) => {
    panel.replaceChildren(group(frame.panels[seat], seat));
    panel.setAttribute("aria-label", data.names[seat]);
  });
  by("stage").textContent = frame.stage;
  by("sites").textContent = frame.sites;
  const lines = move ? frame.lines : [[null, "The cards are dealt"]];
  by("lines").replaceChildren(...lines.map((line) => {
    const item = document.createElement("li");
    item.append(words(line));
    return item;
  }));
  by("number").textContent = `move ${move} of ${last}`;
  by("slider").value = move;
  by("final").hidden = move < last || !by("final").firstChild;
  mark();
  if (move === last) pause();
}

function mark() {
  const [left, top, right, bottom, moves] = data.chart.axes;
  const x = left + (right - left) * move / Math.max(moves, 1);
  const line = by("marker");
  line.setAttribute("d", `M${x},${top - 6}V${bottom + 6}`);
  const log = by("log");
  const before = log.querySelector("[aria-current]"), entry = log.children[move].firstChild;
  before?.removeAttribute("aria-current");
  if (before) before.tabIndex = -1; // the log is one stop of the Tab key
  entry.setAttribute("aria-current", "step");
  entry.tabIndex = 0;
  // Only the log scrolls, never the page.
  const above = entry.offsetTop - log.offsetTop - log.clientHeight / 2;
  log.scrollTop = above;
}

function round(step) {
  const starts = data.rounds.map((r, i) => i).filter((i) => !i || data.rounds[i] > data.rounds[i - 1]);
  const found = step > 0 ? starts.find((i) => i > move) ?? last : starts.findLast((i) => i < move) ?? 0;
  go(found);
}

function go(wanted) { pause(); show(wanted); }

function pause() {
  clearInterval(timer);
  timer = null;
  by("play").textContent = "play";
}

function play() {
  if (timer !== null) return pause();
  if (move === last) show(0);
  by("play").textContent = "pause";
  timer = setInterval(() => show(move + 1), Number(by("speed").value));
}

function zoom() {
  const large = by("around").classList.toggle("large");
  by("zoom").setAttribute("aria-pressed", large);
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

// An address may end with the number of a move, such as game.html#31.
function addressed() {
  return /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : null;
}

const actions = {
  first: () => go(0), round_back: () => round(-1), back: () => go(move - 1), play,
  next: () => go(move + 1), round_next: () => round(1), end: () => go(last), zoom, theme,
};
const keys = {
  Home: "first", End: "end", ArrowLeft: "back", ArrowRight: "next",
  ArrowUp: "round_back", ArrowDown: "round_next", " ": "play", z: "zoom", t: "theme",
};

for (const [id, action] of Object.entries(actions)) by(id).addEventListener("click", action);
by("slider").addEventListener("input", (event) => go(Number(event.target.value)));
by("speed").addEventListener("change", () => { if (timer !== null) { pause(); play(); } });
document.addEventListener("keydown", (/** @type {any} */ event) => {
  const action = keys[event.key];
  if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.tagName === "SELECT") return; // its own keys
  if (event.key === " " && event.target.tagName === "BUTTON") return; // presses it
  event.preventDefault();
  actions[action]();
});

data.frames.forEach((frame, i) => {
  const item = document.createElement("li"), button = document.createElement("button");
  button.type = "button";
  button.tabIndex = -1;
  button.append(...(i ? frame.lines : [[null, "The cards are dealt"]]).map(words));
  button.addEventListener("click", () => go(i));
  item.append(button);
  by("log").append(item);
});

const marker = document.createElementNS(SVG, "path");
marker.id = "marker";
marker.setAttribute("style", "stroke:var(--mark);stroke-width:4;paint-order:stroke;fill:none");
by("chart").append(...data.chart.layers.map((index) => group(index, "chart")), marker);
by("chart").addEventListener("click", (event) => {
  const box = by("chart").getBoundingClientRect(), [left, , right, , moves] = data.chart.axes;
  const x = (event.clientX - box.left) / box.width * by("chart").viewBox.baseVal.width;
  go(Math.round((x - left) / (right - left) * moves));
});
addEventListener("hashchange", () => { if (addressed() !== null) go(addressed()); });

// A page with this one in a frame says which theme it has ("auto" is the system's), and has the title.
addEventListener("message", (event) => {
  if (event.source !== parent || typeof event.data?.theme !== "string") return;
  document.documentElement.dataset.theme = event.data.theme;
  document.documentElement.classList.add("framed");
});
show(addressed() ?? data.start);
