// The choice of a plan: a region card, an action card, and King's Privilege on top. The map shows
// what each card would allow now, and the piece can be tried there and kept for later.

import { announce, button, byId, make } from "../common/dom.js";
import { key } from "../common/geometry.js";
import { pieceShapes } from "./pieces.js";
import { fiefPicture } from "../common/shapes.js";
import { planWords, regionName } from "../common/words.js";
import { fill, plural, words } from "../words/index.js";
import { undoButton } from "../table/undo.js";
import { Hand } from "./hand.js";
import { plannedSpots } from "./spots.js";
import { spotWords, Tryout } from "./tryout.js";

const text = words.gonzaga;

/** The cards of one planning turn. `play(action)` is called when the plan is confirmed. */
export class Planning {
  constructor({ turn, view, seat, board, color, refusals, kept, takeBack, play }) {
    this.turn = turn;
    this.view = view;
    this.seat = seat;
    this.board = board;
    this.color = color;
    this.refusals = refusals;
    this.kept = kept;
    this.takeBack = takeBack;
    this.play = play;
    this.plans = turn.plans;
    this.choice = { region: null, action: null, privilege: false };
    this.peeked = {};
    this.told = turn.spots !== null; // a puzzle may leave the spots to be found
    this.all = this.told ? plannedSpots(turn) : [];
    this.loose = true;
    const { fief } = turn;
    const placements = this.all;
    this.tryout = new Tryout({ owner: this, fief, placements, board, color, refusals, view, seat });
    this.ghost = kept.among(this.tryout.spots.placements) ?? null;
    this.hand = new Hand({
      turn,
      view,
      seat,
      look: board.data,
      color,
      take: (deck, value) => this.take(deck, value),
      peek: (deck, value) => this.peek(deck, value),
    });
  }

  /** Shows the cards in a panel. */
  open(panel) {
    this.confirm = button(text.seal, () => this.submit(), { class: "primary", id: "confirm" });
    this.said = make("p", { class: "choice", id: "choice" });
    this.spotSaid = make("p", { class: "spot-said", id: "spot-said" });
    this.turned = make("span", { class: "turned" });
    this.form = make(
      "form",
      { class: "planning", onsubmit: (event) => event.preventDefault() },
      ...this.hand.rows,
      make(
        "div",
        { class: "buttons" },
        this.confirm,
        this.told && this.rotateButton(),
        this.takeBack && undoButton(this, "↶"),
        make("div", { class: "plan-said" }, this.said, this.spotSaid),
      ),
    );
    const title = make("h2", {}, fill(text.planFief, this.turn.fief.number));
    panel.replaceChildren(title, this.form);
    this.board.handlers = this.told ? this.trying() : { pick: (at) => this.pickRegion(at) };
    this.deal();
    if (this.ghost) this.say(fill(text.keptBefore, spotWords(this.ghost, this.board)));
  }

  /** Returns what tries the piece on the map. */
  trying() {
    return {
      point: (at) => this.tryout.hover(at),
      leave: () => this.leave(),
      pick: (at) => this.pick(at),
      turn: (direction) => this.tryout.rotate(direction),
      cursor: (cell) => this.tryout.toCell(cell),
    };
  }

  /** Returns the piece as a button that rotates it, for those without a wheel or keys. */
  rotateButton() {
    return make(
      "button",
      {
        type: "button",
        class: "rotate",
        id: "rotate",
        title: text.rotateTitle,
        "aria-label": text.rotateTitle,
        onclick: () => this.tryout.rotate(1),
      },
      this.turned,
    );
  }

  // Cards.

  take(deck, value) {
    this.choice[deck] = value;
    this.peeked = {};
    this.deal();
  }

  /** Shows on the map what a card would allow, as long as it is pointed at. */
  peek(deck, value) {
    this.peeked = deck && deck !== "privilege" ? { [deck]: value } : {};
    this.update();
  }

  /** Takes over a plan, such as a hint's. */
  chooseAction(action) {
    const plan = this.plans.find((one) => one.action === action);
    if (!plan) return;
    this.choice = { region: plan.region, action: plan.card, privilege: plan.privilege };
    this.hand.show(this.choice);
    this.deal();
  }

  chosenPlan() {
    const { region, action, privilege } = this.choice;
    return this.plans.find(
      (plan) => plan.region === region && plan.card === action && plan.privilege === privilege,
    );
  }

  /** Returns the spots that some cards allow; a card that is not chosen yet may be any. */
  allowed({ region, action }) {
    return this.all.filter(
      (spot) => (!region || spot.regions.includes(region)) && (!action || spot.card === action),
    );
  }

  /** Shows what the chosen cards allow, here and on the map. */
  deal() {
    const plan = this.chosenPlan();
    const { region, action } = this.choice;
    this.confirm.disabled = !plan;
    const missing = !region ? text.chooseRegion : !action ? text.chooseAction : text.notTogether;
    this.said.textContent = plan ? planWords(this.choice) : missing;
    this.tryout.offer(this.allowed(this.choice));
    if (this.told) this.hand.count((card) => this.allowed({ ...this.choice, ...card }));
    this.update();
    this.sayPlan(plan);
  }

  sayPlan(plan) {
    const said = plan ? this.planSpots(plan) : "";
    this.say(this.ghost && !this.fits ? `${said} ${text.keptUnfit}` : said);
    if (plan) announce(`${planWords(this.choice)}: ${said} ${text.enterSeals}`);
  }

  /** Returns how many spots a plan opens, and what is left if it opens none. */
  planSpots({ spots, best, weddings }) {
    if (!this.told) return "";
    if (spots) return `${plural(spots, text.spots)}, ${fill(text.best, best)}.`;
    return weddings ? text.onlyWedding : text.onlyDonation;
  }

  /** Undo takes back what was played: another card or Esc changes what is chosen here. */
  get pending() {
    return false;
  }

  // The spot in mind: what the tryout asks its owner.

  get chosen() {
    return this.ghost;
  }

  /** Keeps a spot in mind; the action card follows it where none is chosen. */
  choose(placement) {
    this.ghost = placement;
    this.kept.spot = placement;
    this.tryout.index = this.tryout.spots.turnOf(placement);
    if (this.choice.region && !this.choice.action) this.hand.press("action", placement.card);
    else this.update();
    const cards = `${placement.regions.map(regionName).join("/")} ${placement.card}`;
    const said = this.placementWords(placement);
    this.say(fill(text.keeps, said, cards));
    announce(fill(text.keptSaid, said, cards));
  }

  /** A spot in mind stays there while another one is tried. */
  drop() {}

  forget() {
    this.ghost = null;
    this.kept.spot = null;
    this.deal();
  }

  /** Whether the chosen cards allow the spot in mind. */
  get fits() {
    return this.allowed(this.choice).includes(this.ghost);
  }

  plan() {
    return this.chosenPlan()?.action;
  }

  placementWords(placement) {
    return spotWords(placement, this.board);
  }

  say(said) {
    this.spotSaid.textContent = said;
  }

  // Map and keys.

  leave() {
    this.tryout.leave();
    this.tryout.at = null;
    this.update();
  }

  /** Keeps the spot that is clicked, or chooses the card of the region that is. */
  pick(at) {
    if (this.choice.region && this.tryout.pick(at)) return;
    if (!this.pickRegion(at)) this.tryout.hover(at);
  }

  /** Chooses the card of a region; returns whether it was another one. */
  pickRegion(at) {
    const name = this.board.under(at)?.region;
    const card = this.view.inactive.includes(name) ? "inactive" : name;
    if (!card || card === this.choice.region) return false;
    this.hand.press("region", card);
    return true;
  }

  /** Draws what the cards allow, the spot in mind, and the piece under the pointer. */
  update() {
    const { board, tryout } = this;
    board.clear("preview", "labels");
    this.drawAllowed();
    this.turned.replaceChildren(fiefPicture(this.turn.fief, tryout.turn.rotation, this.color, 15));
    board.show("ghost", ...(this.ghost ? pieceShapes(board, this.ghost, this.color) : []));
    board.layers.ghost.classList.toggle("unfit", Boolean(this.ghost) && !this.fits);
    if (tryout.at) tryout.preview(tryout.at, 0.75);
  }

  /** Marks the spots of the cards that are chosen or pointed at, and dims what is elsewhere. */
  drawAllowed() {
    const { board } = this;
    const cards = { ...this.choice, ...this.peeked };
    const some = cards.region || cards.action;
    const cells = some ? this.allowed(cards).flatMap((spot) => spot.cells) : [];
    const spots = new Map(cells.map((cell) => [key(cell), cell]));
    const dim = some && this.told ? board.data.hexes.filter(({ cell }) => !spots.has(key(cell))) : [];
    const regions = cards.region === "inactive" ? this.view.inactive : [cards.region];
    const style = ({ region }) => (region && regions.includes(region) ? "dim in-region" : "dim");
    board.show("dim", ...dim.map((hex) => board.polygon(hex.cell, { class: style(hex) })));
    board.showSpots([...spots.values()]);
  }

  /** Handles a key; returns whether it was one of the planning's. */
  onKey(name, onBoard) {
    if (name === "Enter") this.enter(onBoard);
    else if (name === "Escape") this.forget();
    else if (name === "k") this.hand.press("privilege", true);
    else if ("abc".includes(name)) this.hand.press("action", name.toUpperCase());
    else if (/^[1-7]$/.test(name)) this.hand.press("region", this.hand.regions[Number(name) - 1]);
    else return this.told && this.onTryKey(name, onBoard);
    return true;
  }

  onTryKey(name, onBoard) {
    const { tryout } = this;
    if (name === " " && onBoard) tryout.pick(this.board.pointOf(this.board.cursorCell));
    else if (name === "r") tryout.rotate(1);
    else if (name === "R") tryout.rotate(-1);
    else if (name === "n") tryout.walk(1);
    else if (name === "p") tryout.walk(-1);
    else return false;
    return true;
  }

  /** Keeps the spot under the cursor in mind; once it is kept, seals the plan. */
  enter(onBoard) {
    const spot = onBoard && this.tryout.at && this.tryout.find(this.tryout.at, 1.3);
    if (spot && spot !== this.ghost) this.choose(spot);
    else this.submit();
  }

  submit() {
    const plan = this.chosenPlan();
    if (plan) this.play(plan.action);
    else byId("choice")?.classList.add("missing");
  }

  close() {
    this.board.handlers = {};
    this.tryout.close();
    this.board.clear("dim", "ghost");
  }
}
