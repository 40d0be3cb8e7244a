// A finished game: its positions, chances of winning, and what agents think of each move.

import * as api from "../common/api.js";
import { button, byId, make } from "../common/dom.js";
import { lineWords } from "../common/events.js";
import { playerName, stageWords } from "../common/words.js";
import { fill, listed, number, words } from "../words/index.js";
import { Curve, chancesTable, moveLink } from "./curve.js";
import { Drawing } from "./drawing.js";
import { Opinions, mistakeList } from "./opinions.js";
import { PlayOn } from "./play_on.js";

const said = words.analysis;
const [SOON, LATER] = [800, 4000]; // milliseconds until the next look at an analysis
const FIRST = "search";

class GamePage {
  constructor(id) {
    this.id = id;
    this.game = new api.Game(id);
    this.version = 0;
    this.opinions = [];
  }

  async start() {
    this.head = await this.game.read();
    this.chooseAgents();
    this.notice(said.reading);
    this.content = await this.game.drawn(this.head.digest);
    this.notice("");
    this.names = this.content.players.map(playerName);
    this.last = this.head.moves;
    this.title();
    this.drawing = new Drawing(this.content, this.names);
    this.curve = new Curve(
      this.names,
      this.content.frames.map(({ round }) => round),
      (move) => this.go(move),
    );
    this.playOn = new PlayOn({
      names: this.names,
      agents: this.head.agents,
      start: (asked) => this.game.playOn(asked),
    });
    this.listen();
    this.drawLog();
    this.show();
    this.follow();
  }

  title() {
    const { title: game, scenario, players } = this.content;
    const title = scenario ? fill(said.title, game, scenario) : game;
    const winners = players.filter(({ won }) => won).map(playerName);
    byId("title").textContent = title;
    const results = players.map((player) => fill(said.result, playerName(player), player.score));
    const links = [
      make("a", { href: `${this.game.path}/record`, download: `game-${this.head.digest}.jsonl` }, said.download),
    ];
    if (this.head.table) links.push(make("a", { href: `/table/${this.id}` }, said.toTable));
    byId("subtitle").replaceChildren(
      `${results.join(", ")}; ${fill(said.won, listed(winners))}`,
      ...links.flatMap((link) => [" · ", link]),
    );
    document.title = `${title} · ${results.join(", ")}`;
    const { mistake, blunder } = this.head.grades;
    const share = (value) => number(value, { style: "percent" });
    byId("how").textContent = `${said.how} ${fill(said.threshold, share(mistake), share(blunder))}`;
  }

  // Where we are.

  /** The position that the address names. */
  get move() {
    const wanted = Number(new URLSearchParams(location.hash.slice(1)).get("move") ?? this.last);
    return Number.isInteger(wanted) ? Math.min(Math.max(wanted, 0), this.last) : this.last;
  }

  /** Shows a position; links push it to the history, steps replace it. */
  go(move) {
    const within = Math.min(Math.max(move, 0), this.last);
    history.replaceState(null, "", `${location.search}${moveLink(within)}`);
    this.show();
  }

  /** Goes to the first or last position of a round. */
  goRound(step) {
    const rounds = this.content.frames.map(({ round }) => round);
    const begins = rounds.map((_, i) => i).filter((i) => !i || rounds[i] > rounds[i - 1]);
    const ahead = begins.find((i) => i > this.move) ?? this.last;
    const behind = begins.findLast((i) => i < this.move) ?? 0;
    this.go(step > 0 ? ahead : behind);
  }

  listen() {
    const steps = {
      first: () => this.go(0),
      "round-back": () => this.goRound(-1),
      back: () => this.go(this.move - 1),
      next: () => this.go(this.move + 1),
      "round-next": () => this.goRound(1),
      last: () => this.go(this.last),
    };
    for (const [id, act] of Object.entries(steps)) byId(id).addEventListener("click", act);
    const keys = {
      Home: "first",
      ArrowUp: "round-back",
      ArrowLeft: "back",
      ArrowRight: "next",
      ArrowDown: "round-next",
      End: "last",
    };
    byId("controls").hidden = false;
    byId("slider").max = this.last;
    byId("slider").addEventListener("input", () => this.go(Number(byId("slider").value)));
    addEventListener("hashchange", () => this.show());
    document.addEventListener("keydown", (event) => {
      const { key, altKey, ctrlKey, metaKey } = event;
      const target = /** @type {Element} */ (event.target);
      if (!keys[key] || altKey || ctrlKey || metaKey || target.closest("select, dialog")) return;
      event.preventDefault();
      steps[keys[key]]();
    });
  }

  // What is shown.

  show() {
    const { move } = this;
    const marks = this.opinions.map((one) => one.of(move)?.marks).find(Boolean) ?? "";
    this.drawing.show(move, marks, `${this.stage(move)}. ${this.lines(move).join(". ")}`);
    this.curve.mark(move);
    byId("slider").value = String(move);
    byId("number").textContent = fill(said.moveOf, move, this.last);
    this.showNow(move, marks);
    const entries = byId("log").children;
    byId("log").querySelector("[aria-current]")?.removeAttribute("aria-current");
    const entry = entries[move].querySelector("a");
    entry.setAttribute("aria-current", "step");
    byId("log").scrollTop = entries[move].offsetTop - byId("log").offsetTop - byId("log").clientHeight / 3;
  }

  /** Returns round and stage of a position in words; of some games the server says them. */
  stage(move) {
    const { round, phase, stage } = this.content.frames[move];
    return phase ? stageWords({ round, decision: phase }) : stage;
  }

  showNow(move, marks) {
    const from = (at) => () => this.playOn.open(at, this.content.seats[at]);
    const another = move ? button(said.another, from(move - 1), { id: "another" }) : "";
    const play = move < this.last ? button(said.playOn, from(move), { id: "play-on-open" }) : "";
    byId("now").replaceChildren(
      make("h2", {}, this.stage(move)),
      make("ul", { class: "lines" }, ...this.lines(move).map((line) => make("li", {}, line))),
      marks ? make("p", { class: "quiet" }, said.drawn) : "",
      make("div", { class: "opinions-now" }, ...this.panels(move)),
      make("p", { class: "buttons" }, another, " ", play),
    );
  }

  panels(move) {
    if (!move) return [];
    return this.opinions.map((one) => one.panel(move, this.content));
  }

  /** Returns what a move brought, as sentences. */
  lines(move) {
    if (!move) return [said.deal];
    return this.content.frames[move].lines.map((line) => {
      const text = lineWords(line, this.content);
      return line.seat === null ? text : `${this.names[line.seat]} ${text}`;
    });
  }

  drawLog() {
    byId("log").replaceChildren(
      ...this.content.frames.map((_, move) =>
        make(
          "li",
          {},
          make("a", { href: moveLink(move) }, ...this.lines(move).map((line) => make("span", {}, line))),
          make("span", { class: "best" }),
        ),
      ),
    );
  }

  // What agents think.

  chooseAgents() {
    const asked = new URLSearchParams(location.search);
    const { agents } = this.head;
    const known = (name) => (agents.includes(name) ? name : null);
    const first = known(asked.get("agent")) ?? known(FIRST) ?? agents.at(-1);
    const options = (chosen) => agents.map((name) => make("option", { selected: name === chosen }, name));
    byId("agent").replaceChildren(...options(first));
    const none = make("option", { value: "" }, said.nobody);
    byId("other").replaceChildren(none, ...options(known(asked.get("with"))));
    for (const id of ["agent", "other"]) byId(id).addEventListener("change", () => this.askOthers());
  }

  get agents() {
    const [first, other] = [byId("agent").value, byId("other").value];
    return other && other !== first ? [first, other] : [first];
  }

  askOthers() {
    const [agent, other] = this.agents;
    const query = new URLSearchParams({ agent, ...(other ? { with: other } : {}) });
    history.replaceState(null, "", `?${query}${location.hash}`);
    this.opinions = [];
    this.version = 0;
    this.show();
    this.follow();
  }

  /** Asks for more of the analysis until it is done. */
  async follow() {
    const turn = {};
    this.turn = turn;
    while (this.turn === turn) {
      let wait = SOON;
      try {
        const answer = await this.game.analysis(this.agents, this.version);
        if (this.turn !== turn) return;
        this.receive(answer);
        if (answer.done) return;
      } catch (error) {
        if (!(error instanceof api.TableError)) throw error;
        byId("progress").textContent = error.message;
        wait = LATER;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, document.hidden ? LATER : wait);
      });
    }
  }

  receive(answer) {
    byId("progress").textContent = progressWords(answer);
    if (!answer.chances || answer.version === this.version) return;
    this.version = answer.version;
    this.opinions = answer.opinions.map((content, i) => new Opinions(this.agents[i], content));
    const [first] = this.opinions;
    const mistakes = first.mistakes().map(({ move, grade }) => ({
      ...{ move, grade, seat: this.content.seats[move - 1] },
      said: `${fill(said.moveNumber, move)}, ${said.grades[grade]}: ${first.best(move)}`,
    }));
    this.curve.draw(answer.chances, mistakes);
    const rounds = this.content.frames.map(({ round }) => round);
    byId("chances-table").lastElementChild.replaceChildren(chancesTable(this.names, answer.chances, rounds));
    const { seats } = this.content;
    byId("mistakes").replaceChildren(
      ...this.opinions.flatMap((one) => [
        this.opinions.length > 1 ? make("h3", {}, fill(said.view, one.agent)) : "",
        ...mistakeList(one, this.names, seats, answer.done),
      ]),
    );
    [...byId("log").children].forEach((entry, move) => {
      const best = entry.querySelector(".best");
      best.textContent = first.best(move);
      best.className = `best ${first.of(move)?.grade ?? ""}`;
    });
    this.show();
  }

  notice(text) {
    byId("notice").hidden = !text;
    byId("notice").textContent = text;
  }
}

/** Returns how far an analysis is, or why it cannot go on. */
function progressWords({ done, curve, progress }) {
  const problems = [curve, ...progress].map(({ problem }) => problem).filter(Boolean);
  if (problems.length) return problems.join("; ");
  if (done) return "";
  const all = [curve, ...progress];
  const share = all.reduce((sum, one) => sum + one.progress, 0) / all.length;
  if (!share) return said.waiting;
  return fill(said.computing, number(share, { style: "percent" }));
}

const page = new GamePage(location.pathname.split("/").at(-1));
page.start().catch((error) => {
  if (!(error instanceof api.TableError)) throw error;
  const known = { not_found: said.noGame, forbidden: said.notOver };
  page.notice(known[error.code] ?? error.message);
  byId("title").textContent = words.common.noPage;
  byId("main").classList.add("gone");
});
