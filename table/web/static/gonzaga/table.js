// Gonzaga's table: the map, the panels, planning and placing, and the coach.

import { Board } from "./board.js";
import { byId, make } from "../common/dom.js";
import { cellsOf } from "../common/events.js";
import { raise, slide } from "./motion.js";
import { playerPanels, sourcesKey } from "./panels.js";
import { fillLegend } from "./legend.js";
import { explainOrder } from "./precedence.js";
import { fiefPicture } from "../common/shapes.js";
import { playerStrip } from "../common/strip.js";
import { planWords, stageWords, total } from "../common/words.js";
import { fill, listed, plural, words } from "../words/index.js";
import { TablePage } from "../table/page.js";
import { SPEEDS } from "../table/playback.js";
import { Coach } from "./coach.js";
import { HintMarks } from "./hint_marks.js";
import { Kept } from "./kept.js";
import { Overview } from "./overview.js";
import { Placing } from "./placing.js";
import { Planning } from "./planning.js";
import { Refusals } from "./refusals.js";
import { Reveal } from "./reveal.js";

const text = words.gonzaga;
const SLIDE = 650; // milliseconds in which a piece comes to its place

export class GonzagaTable extends TablePage {
  constructor(id, seat, table) {
    super(id, seat, table);
    this.board = new Board(byId("board"));
    this.hintMarks = new HintMarks(this.board);
    this.reveal = new Reveal();
    this.overview = new Overview({
      board: this.board,
      container: byId("board"),
      read: () => this.table.overview(),
    });
    this.coach = new Coach(byId("coach"), byId("coach-switch"), () => this.guide());
    this.drawn = null; // decision and totals of the last position
  }

  setLook() {
    this.board.setBoard(this.look);
    byId("sources").replaceChildren(sourcesKey(this.look));
    this.setLegend();
  }

  setLegend() {
    const note = this.board.note.textContent;
    fillLegend(byId("legend"), this.look, note, () => this.board.setBoard(this.look));
  }

  draw({ view, lines, pieces }) {
    this.board.setPieces(pieces);
    this.banner(view);
    this.board.setNote(view, Boolean(this.newMap));
    this.board.wanted = view.players[this.seat]?.objective?.symbols ?? [];
    byId("players").replaceChildren(...playerPanels(view, this.look, this.seat));
    this.drawStrip(view);
    this.markCells(cellsOf(lines));
    this.overview.update(view, this.look, this.seat);
    this.animate(view, lines);
  }

  /** Slides what was just placed from its owner's chip, and lets its points rise to the score. */
  animate(view, lines) {
    const before = this.drawn;
    this.drawn = { decision: view.decision, totals: view.players.map(total) };
    const opened = before?.decision === "plan" && view.decision === "place";
    const time = SLIDE * Math.min(1, SPEEDS[this.playback.speed]);
    byId("strip").classList.toggle("revealed", opened && time > 0);
    const { seat = null, event } = lines[0] ?? {};
    if (seat === null || !before || !event) return;
    const chip = document.querySelector(`.chip[data-seat="${seat}"]`);
    const pieces = event.cells ? this.board.piecesOn(event.kind, event.cells) : [];
    const points = this.drawn.totals[seat] - before.totals[seat];
    if (view.decision !== "over") raise(points, pieces[0] ?? chip, chip.querySelector(".points"), time);
    slide(pieces, chip, this.board.pixels(), time);
  }

  /** Says what happened; at the reveal, all cards turn over. */
  happened(frame) {
    super.happened(frame);
    const said = byId("turn").querySelector(".happened");
    if (!said || !frame.lines.some(({ event }) => event?.kind === "reveal")) return;
    said.replaceChildren(this.reveal.draw(frame.view, this.look));
  }

  /** Handles a key that is no matter of a turn. */
  onKey(name) {
    return this.overview.onKey(name);
  }

  /** Shows who plans, is ready or away; called anew when only that has changed. */
  drawStrip(view = this.view) {
    byId("strip").replaceChildren(...playerStrip(view, this.look, this.seats()));
    explainOrder(byId("strip"), view);
  }

  markCells(cells) {
    this.board.show("moved", ...cells.map((cell) => this.board.polygon(cell, { class: "moved" })));
  }

  banner(view) {
    byId("last-round").hidden = !view.last_round || view.decision === "over";
    byId("scenario").textContent = view.scenario;
    byId("scenario").title = fill(text.flourishing, listed(view.flourishing));
    const sites = byId("open-sites");
    sites.textContent = plural(view.open_sites, text.openSites);
    sites.title = text.openSitesTitle;
  }

  choices() {
    const { turn, view, seat, board } = this;
    const asked = {
      turn,
      view,
      seat,
      board,
      color: this.look.colors.players[seat],
      refusals: new Refusals((query) => this.table.refusal(query)),
      takeBack: this.company.undo,
      kept: new Kept(this.id, seat, view.round),
      play: (action) => this.play(action),
    };
    if (turn.stage === "planning") return new Planning(asked);
    const plans = this.reveal.draw(view, this.look, true);
    return new Placing({ ...asked, plans, guide: () => this.guide() });
  }

  words(view) {
    const planning = view.decision === "plan";
    const name = `${planning ? "turnToPlan" : "turnToPlace"}${view.last_round ? "Last" : ""}`;
    const waits = planning ? text.waitsToPlan : text.waitsToPlace;
    return { stage: stageWords(view), turn: fill(text[name], view.round), waits };
  }

  waiting() {
    const { view } = this;
    if (view.decision === "place") return this.reveal.draw(view, this.look);
    const own = this.seat === null ? null : view.players[this.seat].plan;
    return own && view.decision === "plan" ? make("p", {}, fill(text.yourPlan, planWords(own))) : "";
  }

  guide() {
    const { view, turn, seat, choice } = this;
    if (!view) return;
    const placing = choice instanceof Placing ? choice : null;
    const wedding = placing?.wedding.possible;
    const rings = placing?.mode === "wedding";
    const sealed = this.seating?.sealed?.includes(seat) ?? view.players[seat]?.planned;
    this.coach.say({ view, turn: choice && turn, seat, sealed, wedding, rings });
  }

  /** Returns the fief of a placement as it is turned; nothing for other choices. */
  hintPicture(turn, action) {
    const placement = turn.placements?.find((one) => one.action === action);
    if (placement?.kind !== "fief") return null;
    return fiefPicture(turn.fief, placement.rotation, this.look.colors.players[this.seat], 9);
  }

  markHints(turn, choices) {
    this.hintMarks.show(turn, choices);
  }

  tools() {
    byId("legend-button").addEventListener("click", () => {
      this.setLegend();
      byId("legend").showModal();
    });
    byId("zoom-in").addEventListener("click", () => this.board.setZoom(this.board.zoom * 1.5));
    byId("zoom-out").addEventListener("click", () => this.board.setZoom(this.board.zoom / 1.5));
    super.tools();
  }
}
