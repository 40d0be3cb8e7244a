// Tables that wait for people: those that everybody may join, and where this browser waits.

import * as api from "../common/api.js";
import { announce, button, byId, make } from "../common/dom.js";
import { keepSetting, keepTable, keepWait, waitingLink, waits } from "../common/storage.js";
import { paceWords } from "../table/clock.js";
import { listed, plural, words } from "../words/index.js";

const said = words.lobby.waiting;
const OWN_MS = 2000; // between looks at where this browser waits
const LIST_MS = 5000; // and at the tables that everybody may join

/** The open tables on the page of the lobby. */
export class WaitingRoom {
  constructor(options, name, notice, failed) {
    this.options = options;
    this.name = name;
    this.notice = notice;
    this.failed = failed;
    this.shown = {};
  }

  start() {
    byId("strangers").hidden = Boolean(navigator.serviceWorker?.controller); // nobody else is there
    if (byId("strangers").hidden) return;
    this.takeInvitation();
    addEventListener("hashchange", () => this.takeInvitation());
    repeat(() => this.showOwn(), OWN_MS);
    repeat(() => this.showList(), LIST_MS);
  }

  /** Opens a table that waits, or sits down at one. */
  open(asked) {
    return this.sit(() => api.openWaiting({ ...asked, name: this.ownName() }));
  }

  async sit(asking) {
    try {
      const one = await asking();
      keepWait(one.id, one.token);
      this.notice();
      byId("invited")?.remove();
      await this.showOwn();
      await this.showList();
      byId("own-waits").scrollIntoView({ block: "nearest" });
    } catch (error) {
      this.failed(error);
    }
  }

  ownName() {
    const name = this.name();
    keepSetting("name", name);
    return name || words.lobby.guest;
  }

  /** Shows where this browser waits, and goes to a table that has begun. */
  async showOwn() {
    const asked = waits().map(async ({ id, token }) => {
      try {
        return { ...(await new api.Waiting(id, token).read()), token };
      } catch (error) {
        if (["not_found", "forbidden"].includes(error.code)) keepWait(id, null);
        return null;
      }
    });
    const found = (await Promise.all(asked)).filter(Boolean);
    const begun = found.find(({ table }) => table);
    if (begun) return this.go(begun);
    byId("own-waits").hidden = !found.length;
    this.draw(byId("own-waits").querySelector("ul"), found, (one) => this.ownRow(one));
  }

  go({ id, table, token, seat, names, seats, ...settings }) {
    keepWait(id, null);
    const { edition, num_players, scenario, rules, rated } = settings;
    const kept = { edition, num_players, scenario, rules, rated, seats, names };
    const title = names.map((name, i) => name ?? seats[i]).join(", ");
    keepTable(table, { title, settings: kept, tokens: { [seat]: token }, mine: seat, invited: [], over: false });
    location.assign(`/table/${table}`);
  }

  async showList() {
    if (document.hidden) return;
    const own = waits().map(({ id }) => id);
    const all = await api.waiting().catch(() => []);
    const others = all.filter(({ id }) => !own.includes(id));
    this.draw(byId("open-tables"), others, (one) => this.row(one, this.joining(one)));
    if (!others.length) byId("open-tables").replaceChildren(make("li", { class: "quiet" }, said.none));
  }

  /** Shows rows; what stays the same is not drawn anew, so that it keeps the focus. */
  draw(list, found, row) {
    const key = JSON.stringify(found);
    if (this.shown[list.id] === key) return;
    this.shown[list.id] = key;
    list.replaceChildren(...found.map(row));
  }

  row(one, ...tools) {
    const { game, edition, scenario, seats, names, free, num_players } = one;
    const title = this.options.games.find(({ name }) => name === game)?.title ?? game;
    const people = names.map((name, seat) => name ?? (seats[seat] === "human" ? null : seats[seat]));
    const map = edition.split("/").at(-1);
    const facts = [words.lobby.numSeats(num_players), scenario ?? map, paceWords(one.pace), one.rated && words.lobby.rated, plural(free.length, said.missing)];
    return make(
      "li",
      { class: "waits" },
      make(
        "span",
        {},
        make("b", {}, title),
        ` ${said.with(listed(people.filter(Boolean)))}`,
        make("small", {}, facts.filter(Boolean).join(" · ")),
      ),
      ...tools,
    );
  }

  joining({ id, free, rated }) {
    const join = async () => {
      if (rated && !confirm(said.consent)) return;
      await this.sit(() => new api.Waiting(id).join(free[0], this.ownName(), rated));
    };
    return button(said.join, join, { class: "small primary join" });
  }

  ownRow(one) {
    const leave = async () => {
      await new api.Waiting(one.id, one.token).leave().catch(() => {});
      keepWait(one.id, null);
      await this.showOwn();
    };
    const row = this.row(one, button(said.leave, leave, { class: "small leave" }));
    row.querySelector("span").append(make("small", {}, said.keepOpen));
    const link = make("input", { class: "link", readonly: true, value: waitingLink(one.id), "aria-label": said.link });
    const copy = button(said.copy, async () => {
      link.select();
      await navigator.clipboard?.writeText(link.value).catch(() => {});
      announce(said.copied);
      copy.textContent = said.copied;
    }, { class: "small" });
    row.append(link, copy);
    return row;
  }

  /** Shows the table of a link such as `/#join=ID`, which leaves the address bar. */
  async takeInvitation() {
    const id = new URLSearchParams(location.hash.slice(1)).get("join");
    if (!id) return;
    history.replaceState(history.state, "", location.pathname);
    if (waits().some((one) => one.id === id)) return;
    try {
      const one = await new api.Waiting(id).read();
      if (!one.free.length) throw new Error(said.begun);
      byId("invited")?.remove();
      const box = make("section", { class: "framed", id: "invited" },
        make("h2", {}, said.invited), make("ul", { class: "tables" }, this.row(one, this.joining(one))));
      byId("own-waits").before(box);
    } catch (error) {
      this.notice(error.code === "not_found" ? said.begun : error.message);
    }
  }
}

/** Does something now, and again a while after it is done. */
async function repeat(act, pause) {
  await act();
  setTimeout(() => repeat(act, pause), pause);
}
