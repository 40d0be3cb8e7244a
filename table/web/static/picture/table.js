// The table of any game that is shown in blocks of drawings and asks for one action at a time.

import { button, byId, make, still } from "../common/dom.js";
import { withRules } from "../common/rules.js";
import { keepSetting, setting } from "../common/storage.js";
import { chip, stateWords } from "../common/strip.js";
import { CoachBox } from "../table/coach.js";
import { TablePage } from "../table/page.js";
import { SPEEDS } from "../table/playback.js";
import { fill, words } from "../words/index.js";
import { Blocks, setNote, tallyWords } from "./blocks.js";
import { Choices } from "./choices.js";

const own = words.picture;

export class PictureTable extends TablePage {
  constructor(id, seat, table) {
    super(id, seat, table);
    document.body.classList.add("pictured");
    document.querySelector(".map").setAttribute("tabindex", "0"); // it scrolls
    this.lookedAt = null; // the seat whose boards come first, if it is not the own one
    this.trail = []; // the places of what others have moved
    this.blocks = new Blocks(byId("board"), seat);
    this.coach = new CoachBox(byId("coach"), byId("coach-switch"), () => this.guide());
    const rows = own.keys.flatMap(([key, text]) => [make("dt", {}, key), make("dd", {}, text)]);
    document.querySelector("#help .keys").replaceChildren(...rows);
  }

  setLook() {
    setNote(this.look);
    byId("scenario").textContent = this.game.title;
  }

  async redraw() {
    this.playback.skip();
    await super.redraw();
  }

  draw(frame) {
    const { view, totals, tallies, stage, note } = frame;
    view.players.forEach((player, seat) => {
      player.total = totals[seat];
    });
    view.stageWords = stage;
    this.follow(frame, () => this.blocks.show(frame, this.look));
    byId("open-sites").textContent = note;
    this.tallies = tallies;
    this.drawStrip(view);
  }

  /**
   * Draws a position: what was moved slides there, and what others have moved stays outlined until
   * the own next move.
   */
  follow({ moved, lines }, draw) {
    const seat = lines[0]?.seat ?? null;
    const factor = still() || document.hidden ? 0 : Math.min(1, SPEEDS[this.playback.speed]);
    const lifted = factor && seat !== null ? this.blocks.lift(moved) : null;
    draw();
    if (lifted) this.blocks.land(lifted, moved, seat, factor);
    if (seat === null) return;
    if (seat === this.seat || (this.seat === null && seat !== this.trailed)) this.trail = [];
    this.trailed = seat;
    const color = this.look.colors.players[seat];
    if (seat !== this.seat) this.trail.push(...moved.map((place) => ({ ...place, color })));
    this.blocks.setTrail(this.trail);
  }

  /** Shows who acts or is away; called anew when only that has changed. */
  drawStrip(view = this.view) {
    const chips = view.players.map((player, seat) =>
      chip(player, this.look, {
        press: { pressed: this.lookedAt === seat, act: () => this.lookAt(seat) },
        acts: view.to_act === seat,
        own: seat === this.seat,
        state: stateWords(player, view, this.seats()),
        // The points stand beside them; what is none is left out.
        facts: tallyWords(this.tallies[seat].slice(1).filter(([, number], i) => !i || number)),
      }),
    );
    const focused = document.activeElement?.closest(".chip")?.getAttribute("data-seat");
    byId("strip").replaceChildren(...chips);
    if (focused) chips[Number(focused)].querySelector("button").focus();
  }

  /** Puts a player's boards first; pressed again, one's own. */
  lookAt(seat) {
    this.lookedAt = this.lookedAt === seat || seat === this.seat ? null : seat;
    this.blocks.lookAt(this.lookedAt);
    this.drawStrip();
  }

  open() {
    const taken = this.quick ? this.taken() : null;
    if (taken !== null) {
      this.play(taken);
      return;
    }
    super.open();
    // Beside many choices hints stand above them; on a phone, which has no room there, below.
    const narrow = matchMedia("(max-width: 56rem), (max-height: 32rem)").matches;
    (narrow ? byId("turn") : document.querySelector("#turn .switches")).after(this.hints.container);
  }

  finish() {
    super.finish();
    byId("turn").scrollIntoView({ block: "nearest" }); // on a phone it lies below all blocks
  }

  /** Says what helps with the decision of this turn. */
  guide() {
    const advice = this.choice && this.game.advice[this.turn.kind];
    this.coach.show(advice && withRules(advice));
  }

  /** Whether details of a turn are played by one click; not after an undo, until the next turn. */
  get quick() {
    const { continues, kind } = this.turn;
    if (!continues) this.company.undone = false;
    return continues && kind !== "main" && setting("quick", true) && !this.company.undone;
  }

  /** Returns the action that needs no question: what can only help, or a point like the last one. */
  taken() {
    const { text = "", effect, left } = this.alike ?? {};
    const [verb, career, slot = 0] = text.split(" ");
    const further = verb === "initiative" ? verb : `advance ${career} ${Number(slot) + 1}`;
    const goesOn = effect === this.view.effect && left === this.view.left + 1;
    const same = goesOn && this.turn.choices.find((one) => one.text === further);
    return this.turn.obvious ?? (same ? same.action : null);
  }

  play(action) {
    const { kind, choices } = this.turn;
    const { effect, left } = this.view;
    const { text } = choices.find((one) => one.action === action);
    this.alike = kind === "track" && setting("together", true) ? { text, effect, left } : null;
    return super.play(action);
  }

  /** Returns the switches of a turn: whether points go together, and whether details are quick. */
  switches() {
    const again = (name) => () => {
      keepSetting(name, !setting(name, true));
      this.close();
      this.act();
    };
    const one = (name, text, title = null) =>
      button(text, again(name), { class: "small", "aria-pressed": String(setting(name, true)), title });
    const points = this.turn.kind === "track" && this.view.left > 1;
    return [
      points && one("together", fill(own.together, this.view.left)),
      this.turn.continues && one("quick", own.quick, own.quickTitle),
    ].filter(Boolean);
  }

  choices() {
    return new Choices({
      quick: this.quick,
      tools: this.switches(),
      turn: this.turn,
      title: fill(own.turn, this.question(this.view)),
      blocks: this.blocks,
      takeBack: this.company.undo,
      play: (action) => this.play(action),
      preview: (action) => this.preview(action),
    });
  }

  /** Returns what is decided: "Round 1, lap 1: draw, take or place" ends with it. */
  question(view) {
    return view.stageWords.split(": ").at(-1);
  }

  words(view) {
    return {
      stage: view.stageWords,
      turn: `${fill(own.turn, this.question(view))}.`,
      waits: fill(own.decides, this.question(view)),
    };
  }

  /** Shows on the board what a choice leads to. */
  async preview(action) {
    try {
      const blocks = await this.table.preview(action);
      if (this.choice?.chosen?.action === action) this.blocks.preview(blocks);
    } catch (error) {
      this.notice(error.message);
    }
  }

  markHints(turn, choices) {
    this.blocks.number(choices.map(({ action }) => action));
  }
}
