// What agents think of decisions: the best choice, the one that was played, and what it lost.

import { choiceWords } from "../common/events.js";
import { make } from "../common/dom.js";
import { planWords } from "../common/words.js";
import { reasonWords } from "../table/reasons.js";
import { fill, listed, number, plural, words } from "../words/index.js";
import { moveLink } from "./curve.js";

const said = words.analysis;

/** Returns a value in percent of the victory, or in the agent's own unit. */
export const valueWords = (value, shares) =>
  shares ? number(value, { style: "percent" }) : number(value, { maximumFractionDigits: 2 });

/** Returns a loss, such as "−12 %"; losses below 0 are noise. */
export const lossWords = (loss, shares) => `−${valueWords(Math.max(0, loss), shares)}`;

/** Returns a choice in words, as the table says it. */
function inWords(choice, fief) {
  if (choice.kind && choice.cells) return choiceWords(choice, fief);
  if (choice.region) return planWords({ ...choice, action: choice.card });
  return choice.words;
}

/** The opinions of an agent, as the server sends them. */
export class Opinions {
  constructor(agent, content) {
    this.agent = agent;
    this.shares = content.shares ?? false;
    this.unit = content.unit ?? "";
    this.decisions = content.decisions ?? [];
  }

  /** Returns the opinion of the move that led to a position; null where there is none. */
  of(move) {
    return this.decisions[move - 1] ?? null;
  }

  /** Returns "best was ...", or "" where the move was as good or the agent does not say. */
  best(move) {
    const opinion = this.of(move);
    if (!opinion?.better) return "";
    return fill(said.best, inWords(opinion.said[0], opinion.fief), lossWords(opinion.loss, this.shares));
  }

  /** Returns the mistakes by their moves: `{move, grade, loss}`. */
  mistakes() {
    return this.decisions
      .map((opinion, i) => ({ move: i + 1, grade: opinion?.grade, loss: opinion?.loss ?? 0 }))
      .filter(({ grade }) => grade);
  }

  /** Returns the panel of a move: what was considered, what was played, and why another was best. */
  panel(move, view) {
    const title = make("h3", {}, fill(said.view, this.agent));
    const opinion = this.of(move);
    if (move > this.decisions.length) return make("div", { class: "opinion" }, title, make("p", {}, said.waiting));
    if (!opinion) return make("div", { class: "opinion" }, title, make("p", {}, said.forced));
    const { better, grade, reasons: why } = opinion;
    const verdict = better
      ? make("p", {}, grade ? make("b", { class: grade }, `${said.grades[grade]}: `) : null, this.best(move))
      : make("p", {}, opinion.value === null ? said.notConsidered : said.bestAgrees);
    const reasons = reasonWords(why, view);
    return make(
      "div",
      { class: "opinion" },
      title,
      verdict,
      reasons ? make("p", { class: "quiet" }, fill(said.because, reasons)) : null,
      this.table(opinion),
    );
  }

  table({ choices, value, said: told, fief }) {
    const rows = choices.map((choice, i) => ({ text: inWords(told[i], fief), value: choice.value }));
    const head = make("tr", {}, make("th", { scope: "col" }, said.choice), make("th", { scope: "col" }, said.value));
    const caption = this.shares ? null : make("caption", {}, fill(said.unit, this.unit));
    return make(
      "table",
      { class: "choices" },
      caption,
      make("thead", {}, head),
      make(
        "tbody",
        {},
        ...rows.map((row) =>
          make(
            "tr",
            { class: row.value === value ? "played" : null },
            make("td", {}, row.text),
            make("td", {}, valueWords(row.value, this.shares)),
          ),
        ),
      ),
    );
  }
}

/** Returns the list of an agent's mistakes, by player; `players` have names, `seats` who moved. */
export function mistakeList(opinions, names, seats, done) {
  if (!opinions.shares && opinions.decisions.length) return [make("p", {}, fill(said.noGrades, opinions.agent))];
  const all = opinions.mistakes();
  if (!all.length) return [make("p", { class: "quiet" }, done ? said.noneAtAll : said.none)];
  return names
    .map((name, seat) => ({ name, seat, own: all.filter(({ move }) => seats[move - 1] === seat) }))
    .filter(({ own }) => own.length)
    .map(({ name, seat, own }) => make("div", { class: `of-${seat}` }, summary(name, own), list(opinions, own)));
}

function summary(name, own) {
  const number_ = (grade) => own.filter((one) => one.grade === grade).length;
  const counts = [
    plural(number_("mistake"), said.mistakeCount),
    plural(number_("blunder"), said.blunderCount),
  ].filter((_, i) => number_(["mistake", "blunder"][i]));
  return make("p", {}, make("b", {}, name), ` ${listed(counts)}`);
}

function list(opinions, own) {
  const worst = [...own].sort((a, b) => b.loss - a.loss);
  return make(
    "ul",
    {},
    ...worst.map(({ move, grade }) =>
      make(
        "li",
        { class: grade },
        make("a", { href: moveLink(move) }, fill(said.moveNumber, move)),
        `: ${opinions.best(move)}`,
      ),
    ),
  );
}
