// Gonzaga's table: the map, the panels, planning and placing, and the coach.

import { words } from "../words/index.js";
import { Board } from "../common/board.js";
import { byId, make } from "../common/dom.js";
import { cellsOf } from "../common/events.js";
import { playerPanels, sourcesKey } from "../common/panels.js";
import { fillLegend } from "../common/legend.js";
import { playerStrip } from "../common/strip.js";
import { planWords, stageWords } from "../common/words.js";
import { TablePage } from "../table/page.js";
import { Coach } from "./coach.js";
import { HintMarks } from "./hint_marks.js";
import { Placing } from "./placing.js";
import { Planning } from "./planning.js";

export class GonzagaTable extends TablePage {
  constructor(id, seat, table) {
    super(id, seat, table);
    this.board = new Board(byId("board"));
    this.hintMarks = new HintMarks(this.board);
    this.coach = new Coach(byId("coach"), () => this.guide());
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
    this.board.setNote(view);
    this.board.wanted = view.players[this.seat]?.objective?.symbols ?? [];
    byId("players").replaceChildren(...playerPanels(view, this.look, this.seat));
    this.drawStrip(view);
    this.markMove(lines);
  }

  /** Shows who plans, is ready or away; called anew when only that has changed. */
  drawStrip(view = this.view) {
    byId("strip").replaceChildren(...playerStrip(view, this.look, this.seats()));
  }

  markMove(lines) {
    const cells = cellsOf(lines);
    this.board.show("moved", ...cells.map((cell) => this.board.polygon(cell, { class: "moved" })));
  }

  banner(view) {
    byId("last-round").hidden = !view.last_round || view.stage === "over";
    byId("scenario").textContent = view.scenario;
    byId("scenario").title = `Flourishing: ${view.flourishing.join(", ")}`;
    const sites = byId("open-sites");
    sites.textContent = `${view.open_sites} flourishing sites open`;
    sites.title = "At 3 or fewer after round 6, one round is left";
  }

  choices() {
    const { turn, view, seat, board } = this;
    const color = this.look.colors.players[seat];
    const play = (action) => this.play(action);
    return turn.stage === "planning"
      ? new Planning({ plans: turn.plans, view, seat, board, play })
      : new Placing({ turn, view, seat, board, color, play });
  }

  words(view) {
    const [turn, waits] =
      view.stage === "planning"
        ? ["Your turn to plan.", "plans"]
        : ["Your turn to place.", "places a fief"];
    const last = view.last_round ? ", the last" : "";
    return { stage: stageWords(view), turn: `${turn} Round ${view.round}${last}.`, waits };
  }

  waiting() {
    const { view } = this;
    const own = this.seat === null ? null : view.players[this.seat].plan;
    return own && view.stage === "planning" ? make("p", {}, `Your plan: ${planWords(own)}`) : "";
  }

  guide() {
    const { view, turn, seat, choice } = this;
    if (!view) return;
    byId("coach-switch").setAttribute("aria-pressed", String(this.coach.on));
    const wedding = choice instanceof Placing && choice.wedding.possible;
    this.coach.say({ view, turn: choice && turn, seat, wedding });
  }

  markHints(turn, choices) {
    this.hintMarks.show(turn, choices);
  }

  tools() {
    byId("coach-switch").addEventListener("click", () => this.coach.set(!this.coach.on));
    byId("legend-button").textContent = words.table.legend.title;
    byId("legend-button").addEventListener("click", () => {
      this.setLegend();
      byId("legend").showModal();
    });
    byId("zoom-in").addEventListener("click", () => this.board.setZoom(this.board.zoom * 1.5));
    byId("zoom-out").addEventListener("click", () => this.board.setZoom(this.board.zoom / 1.5));
    super.tools();
  }
}
