// The lessons of the first game: what is new in a round, and whether it was tried out.

import { button, byId, make } from "../common/dom.js";
import { keepSetting, setting } from "../common/storage.js";
import { planWords, playerName, regionName } from "../common/words.js";
import { listed, words } from "../words/index.js";

const { common, learn } = words;

const LESSONS = 6; // rounds with a lesson

/** The part of the page that a lesson is about. */
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

/** Returns what the words of a lesson need of the position. */
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

    /** Plays what was chosen, and remembers whether the lesson wanted it. */
    async play(action) {
      const { name, good } = this.lesson ?? { good: [] };
      const praise = good.includes(action) ? learn.done[name] : learn.otherwise;
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
      byId("coach").hidden = !lesson && !this.praise;
      byId("coach").dataset.key = lesson?.name ?? "";
      byId("coach").replaceChildren(this.box(lesson));
      if (this.choice && lesson) document.querySelector(AT[lesson.name] ?? "#turn")?.classList.add("coached");
    }

    /** Returns what is said: how the last lesson went, and the one of now. */
    box(lesson) {
      const { round } = this.view;
      const shows = this.choice && lesson?.action !== undefined;
      return make("div", {},
        button("×", () => this.leave(), { class: "small", "aria-label": learn.leave, title: learn.leave }),
        shows && button(learn.showMe, () => this.choice.chooseAction(lesson.action), { class: "small", id: "show-me" }),
        make("b", {}, round > LESSONS ? learn.title : learn.lessonOf(round)),
        this.praise && make("p", { class: "praise" }, this.praise),
        lesson && make("p", {}, learn.lesson[lesson.name](facts(lesson, this.view, this.seat))),
      );
    }

    /** Returns the lesson of now, null for none; while somebody else moves, it only says so. */
    now() {
      if (this.view.stage === "over") return { name: "over" };
      if (this.choice) return this.lesson;
      if (this.view.round > LESSONS) return null;
      return { name: this.view.stage === "planning" ? "waiting" : "watching" };
    }

    leave() {
      keepSetting("lessons", false);
      keepSetting("coach", false);
      this.guide();
    }
  };
