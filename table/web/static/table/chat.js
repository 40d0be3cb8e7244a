// What people at a table say to each other: a tab beside the log, for those who sit there.

import { announce, button, byId, make } from "../common/dom.js";
import { keepSetting, setting } from "../common/storage.js";
import { playerName } from "../common/words.js";
import { words } from "../words/index.js";

const said = words.table.chat;
const MAX_LETTERS = 200;
const MAX_LINES = 200; // which the server keeps, too
/** Signs that usual fonts have; the last letter asks for no picture. */
const SIGNS = {
  hello: "☺\uFE0E", well_played: "★\uFE0E", thanks: "♥\uFE0E", moment: "◔\uFE0E", oops: "☹\uFE0E", good_game: "⚑\uFE0E",
};

/** The chat of a table; there is none for spectators, nor where nobody else sits. */
export class Chat {
  constructor(table, { chat, seat }) {
    this.table = table;
    this.seat = seat;
    this.lines = [];
    this.seats = [];
    this.names = "";
    this.number = 0; // of lines that there are
    this.known = 0; // and that were read
    this.told = chat ?? 0; // lines that are not announced: they were there before this page
    this.unread = 0;
    if (typeof chat === "number") this.make();
  }

  /** Makes the tab and its box. */
  make() {
    this.tab = make("button",
      { type: "button", role: "tab", id: "chat-tab", "aria-controls": "chat-box", "aria-selected": "false" }, said.title);
    this.list = make("ol", { class: "log chat-lines", "aria-label": said.lines, tabindex: 0 });
    this.input = make("input", { id: "chat-line", maxlength: MAX_LETTERS, "aria-label": said.line, placeholder: said.line, autocomplete: "off" });
    this.fault = make("p", { role: "alert", class: "chat-fault", hidden: true });
    const form = make("form", { class: "chat-form", onsubmit: (event) => this.submit(event) },
      this.input, make("button", { class: "small" }, said.send));
    const emotes = Object.entries(SIGNS).map(([emote, sign]) =>
      button(sign, () => this.say({ emote }), { class: "small", title: said.emote[emote], "aria-label": said.emote[emote], "data-emote": emote }));
    this.parts = [this.list, this.fault, form];
    this.emotes = make("span", { role: "group", "aria-label": said.emotes }, ...emotes);
    this.off = make("p", { class: "quiet" }, said.off);
    const shown = make("input", { type: "checkbox", id: "chat-on", checked: setting("chat", true), onchange: () => this.switch(shown.checked) });
    const foot = make("div", { class: "chat-foot" }, this.emotes, make("label", {}, shown, ` ${said.show}`));
    const box = make("div", { id: "chat-box", class: "chat-box", role: "tabpanel", "aria-labelledby": "chat-tab" },
      this.off, ...this.parts, foot);
    byId("players-tab").after(this.tab);
    byId("players-box").after(box);
    new ResizeObserver(() => this.look()).observe(this.list); // it has been opened, or has more room
    this.switch(shown.checked);
  }

  /** Lets this person read the chat, or not. */
  switch(on) {
    this.on = on;
    keepSetting("chat", on);
    for (const part of [...this.parts, this.emotes]) part.hidden = !on;
    this.fault.hidden = true;
    this.off.hidden = on;
    this.told = Math.max(this.told, this.number);
    if (on) this.read();
    else this.look();
  }

  /** Takes an answer of the server, which says how many lines there are. */
  show({ chat, seats }) {
    if (!this.tab || typeof chat !== "number") return;
    const names = JSON.stringify(seats.map(({ name }) => name));
    const renamed = names !== this.names;
    Object.assign(this, { names, seats, number: Math.max(chat, this.number) });
    if (renamed) this.draw();
    this.read();
  }

  /** Reads what there is more than what is known. */
  async read() {
    if (this.reading || !this.on || this.known >= this.number) return;
    this.reading = true;
    const lines = await this.table.said(this.known).catch(() => null);
    this.reading = false;
    if (!lines?.length) return; // the next news asks again
    this.known = lines.at(-1).number + 1;
    this.lines = [...this.lines, ...lines].slice(-MAX_LINES);
    const others = lines.filter(({ number, seat }) => number >= this.told && seat !== this.seat);
    for (const line of others) announce(said.says(this.name(line), lineWords(line)));
    this.unread += others.length;
    this.draw();
    this.read();
  }

  name({ seat }) {
    return playerName(this.seats[seat]);
  }

  draw() {
    const rows = this.lines.map((line) => make("li", { class: line.emote ? "emote" : "" },
      make("b", {}, make("bdi", {}, this.name(line))), " ",
      line.emote && make("span", { "aria-hidden": "true" }, `${SIGNS[line.emote]} `),
      make("bdi", {}, lineWords(line))));
    this.list.replaceChildren(...(rows.length ? rows : [make("li", { class: "quiet" }, said.nothing)]));
    this.look();
  }

  /** Counts what nobody has looked at, and shows the newest line. */
  look() {
    if (!this.on || this.list.clientHeight) this.unread = 0;
    this.tab.textContent = this.unread ? said.unread(this.unread) : said.title;
    this.tab.classList.toggle("news", this.unread > 0);
    this.list.scrollTop = this.list.scrollHeight;
  }

  async submit(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (text && (await this.say({ text }))) this.input.value = "";
  }

  /** Says something; what the server refuses stays in its field. */
  async say(line) {
    try {
      const { chat } = await this.table.say(line);
      this.fault.hidden = true;
      this.number = Math.max(chat, this.number);
      this.read();
      return true;
    } catch (error) {
      this.fault.hidden = false;
      this.fault.textContent = error.message;
      return false;
    }
  }
}

const lineWords = ({ text, emote }) => text ?? said.emote[emote] ?? emote;
