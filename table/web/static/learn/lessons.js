// The lessons of a first game: what is new, and whether it was tried out.

import { button, byId, make } from "../common/dom.js";
import { keepSetting, setting } from "../common/storage.js";
import { withRules } from "../common/rules.js";
import { planWords, playerName, regionName } from "../common/words.js";
import { fill, listed, words } from "../words/index.js";

const { common, learn } = words;

const LESSONS = 6;

/** The part of the page that a lesson of Gonzaga is about; of others, it is the turn. */
const AT = {
  locked: ".card.locked",
  lockedAny: ".card.locked",
  place: ".board",
  leagueNow: ".board",
  wedding: "#wedding",
  privilege: ".card:has([name=privilege])",
  objective: ".board",
  group: ".board",
  onYourOwn: "#open-sites",
};

/** Returns what the words of a lesson need of the position of a newer game. */
function factsOf(lesson, view, seat) {
  const dice = view.players[seat].dice ?? [];
  return { ...lesson, sum: dice.reduce((sum, value) => sum + value, 0) };
}

/** Returns what the words of a lesson of Gonzaga need of the position. */
function facts(lesson, view, seat) {
  const other = view.players[1 - seat];
  const own = view.players[seat];
  const { plan } = lesson;
  return {
    ...lesson,
    name: playerName(other),
    region: plan && (plan.region === "inactive" ? common.inactiveRegion : regionName(plan.region)),
    card: plan && `${plan.action} (${common.actions[plan.action].name})`,
    own: own.locked && planWords(own.locked),
    rival: other.locked && planWords(other.locked),
    sites: listed(lesson.sites ?? []),
  };
}

/**
 * Returns the page of a first game, with lessons in place of the coach until they are ended.
 *
 * @type {(Page: any) => any}
 */
export const withLessons = (Page) =>
  class extends Page {
    /** Takes what an answer says that is not older than what is known. */
    head(answer) {
      this.lesson = answer.lesson;
      super.head(answer);
    }

    /** The words of this game's lessons. */
    get said() {
      return words.lessons[this.game.name] ?? learn;
    }

    /** Plays what was chosen, and remembers whether the lesson wanted it. */
    async play(action) {
      const { name, good } = this.lesson ?? { good: [] };
      const praise = good.includes(action) ? this.said.done[name] : learn.otherwise;
      this.praise = good.length ? praise : "";
      await super.play(action);
    }

    guide() {
      if (!setting("lessons", true)) {
        super.guide();
        return;
      }
      if (!this.view) return;
      for (const marked of document.querySelectorAll(".coached")) marked.classList.remove("coached");
      const lesson = this.now();
      this.plain ??= [...byId("coach").childNodes];
      byId("coach").dataset.key = lesson?.name ?? "";
      if (!lesson && !this.praise) {
        byId("coach").replaceChildren(...this.plain);
        super.guide();
        return;
      }
      byId("coach").hidden = false;
      byId("coach").replaceChildren(this.box(lesson));
      if (this.choice && lesson) document.querySelector(AT[lesson.name] ?? "#turn")?.classList.add("coached");
    }

    /** Returns what is said: how the last lesson went, and the one of now. */
    box(lesson) {
      const number = lesson?.round ?? (this.pictured ? LESSONS + 1 : this.view.round);
      const shows = this.choice && lesson?.action !== undefined;
      return make("div", {},
        button("×", () => this.leave(), { class: "small", "aria-label": learn.leave, title: learn.leave }),
        shows && button(learn.showMe, () => this.choice.chooseAction(lesson.action), { class: "small", id: "show-me" }),
        make("b", {}, number > LESSONS ? learn.title : fill(learn.lessonOf, number)),
        this.praise && make("p", { class: "praise" }, this.praise),
        lesson && make("p", { class: "lesson" }, ...this.told(lesson)),
      );
    }

    /** Whether the game is one of those that are shown in blocks of drawings. */
    get pictured() {
      return this.said !== learn;
    }

    /** Returns what a lesson says, as nodes and texts. */
    told(lesson) {
      const { view, seat } = this;
      if (!this.pictured) return [fill(learn.lesson[lesson.name], facts(lesson, view, seat))];
      const text = fill(this.said.lesson[lesson.name], factsOf(lesson, view, seat));
      return [...withRules(text), lesson.words ? make("b", {}, ` ${fill(words.lessons.try, lesson.words)}`) : ""];
    }

    /** Returns the lesson of now, null for none; while somebody else moves, it only says so. */
    now() {
      if (this.view.decision === "over") return { name: "over" };
      if (this.choice) return this.lesson;
      if (this.pictured || this.view.round > LESSONS) return null;
      return { name: this.view.decision === "plan" ? "waiting" : "watching" };
    }

    leave() {
      keepSetting("lessons", false);
      keepSetting("coach", false);
      byId("coach").replaceChildren(...this.plain);
      this.guide();
    }
  };
