// The choice of a plan: a region card, an action card, and King's Privilege on top. A click on the
// map offers the plans that open a spot there, which is kept for later; the map also shows what each
// card would allow now.

import { announce, button, byId, make, once } from "../common/dom.js";
import { key } from "../common/geometry.js";
import { fiefPicture } from "../common/shapes.js";
import { planWords } from "../common/words.js";
import { fill, plural, words } from "../words/index.js";
import { undoButton } from "../table/undo.js";
import { regionPicture } from "./cards.js";
import { Hand } from "./hand.js";
import { plannedSpots, plansOver } from "./spots.js";
import { spotWords, Tryout } from "./tryout.js";

const text = words.gonzaga;
const MOST = 6; // plans offered for a hex
const NONE = { region: null, action: null };

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
    this.choice = { ...NONE, privilege: false };
    this.held = NONE; // the cards that were chosen by hand: others change with the spot in mind
    this.offered = []; // plans for the hex that was clicked last
    this.peeked = {};
    this.pointed = false; // whether the cursor has been moved since
    this.told = turn.spots !== null; // a puzzle may leave the spots to be found
    this.all = this.told ? plannedSpots(turn) : [];
    const { fief } = turn;
    const placements = this.all;
    this.tryout = new Tryout({ owner: this, fief, placements, board, color, refusals, view, seat });
    this.chosen = null;
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
    this.confirm = button(text.seal, once(() => this.submit()), { class: "primary", id: "confirm" });
    this.said = make("p", { class: "choice", id: "choice" });
    this.spotSaid = make("p", { class: "spot-said", id: "spot-said" });
    this.turned = make("span", { class: "turned" });
    this.offers = make("div", { class: "offers", role: "group", "aria-label": text.offers });
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
        this.offers,
      ),
    );
    const title = make("h2", {}, fill(text.planFief, this.turn.fief.number));
    panel.replaceChildren(title, this.form);
    this.board.handlers = this.told
      ? {
          pick: (at) => this.pick(at),
          turn: (direction) => this.chosen && this.tryout.rotate(direction),
          cursor: (cell) => this.sayCell(cell),
        }
      : { pick: (at) => this.pickRegion(at) };
    const kept = this.kept.among(this.all);
    if (kept) this.choose(kept);
    else this.deal();
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
    if (deck !== "privilege") this.held = { ...this.held, [deck]: value };
    const plan = deck !== "privilege" && this.offeredByHeld();
    if (plan) this.choose(plan.spot, plan.region);
    else this.deal();
  }

  /** Shows on the map what a card would allow, as long as it is pointed at. */
  peek(deck, value) {
    if (deck && this.peeked[deck] === value) return;
    this.peeked = deck && deck !== "privilege" ? { [deck]: value } : {};
    this.update();
  }

  /** Takes over a plan, such as a hint's. */
  chooseAction(action) {
    const plan = this.plans.find((one) => one.action === action);
    if (!plan) return;
    this.held = { region: plan.region, action: plan.card };
    this.choice = { ...this.held, privilege: plan.privilege };
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
    this.pointed = false;
    this.confirm.disabled = !plan;
    const first = this.told ? text.chooseSpot : text.chooseRegion;
    const missing = !region ? first : !action ? text.chooseAction : text.notTogether;
    this.said.textContent = plan ? planWords(this.choice) : missing;
    this.tryout.offer(this.allowed(this.held));
    if (this.told) this.hand.count((card) => this.allowed({ ...this.choice, ...card }));
    this.offers.replaceChildren(...this.offered.slice(0, MOST).map((one) => this.offer(one)));
    this.update();
    this.sayPlan(plan);
  }

  /** Returns a plan that opens the spot in mind, or another one on its hex, as a button. */
  offer({ region, card, spot }) {
    const plan = { region, action: card };
    const chosen = spot === this.chosen && region === this.choice.region;
    return make(
      "button",
      {
        type: "button",
        class: "offer",
        "aria-pressed": String(chosen),
        title: spotWords(spot, this.board),
        onclick: () => this.choose(spot, region),
      },
      regionPicture(region, this.board.data, this.view),
      make("span", {}, planWords(plan)),
      make("b", {}, `+${spot.points}`),
    );
  }

  sayPlan(plan) {
    const spot = this.chosen ? (this.fits ? `${spotWords(this.chosen, this.board)}.` : text.keptUnfit) : "";
    const said = `${spot} ${plan ? this.planSpots(plan) : ""}`;
    this.say(said);
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

  /** Keeps a spot in mind, and chooses a plan that opens it: one that is offered, or any. */
  choose(spot, offered = null) {
    const { regions } = spot;
    const region = offered ?? (regions.includes(this.choice.region) ? this.choice.region : regions[0]);
    if (!offered) this.offered = [];
    this.chosen = spot;
    this.kept.spot = spot;
    this.tryout.index = this.tryout.spots.turnOf(spot);
    const { held } = this;
    if ((held.region ?? region) !== region || (held.action ?? spot.card) !== spot.card) this.held = NONE;
    this.choice = { ...this.choice, region, action: spot.card };
    this.hand.show(this.choice);
    this.deal();
  }

  /** A spot in mind stays there while another one is tried. */
  drop() {}

  forget() {
    this.chosen = null;
    this.kept.spot = null;
    this.offered = [];
    this.choice = { ...this.choice, ...this.held };
    this.hand.show(this.choice);
    this.deal();
  }

  /** Whether the chosen cards allow the spot in mind. */
  get fits() {
    return this.allowed(this.choice).includes(this.chosen);
  }

  say(said) {
    this.spotSaid.textContent = said;
  }

  // Map and keys.

  /** Offers the plans that open a spot on a hex, and chooses one; says why there is none. */
  pick(at) {
    const cell = this.board.under(at)?.cell;
    if (!cell) return;
    const offered = plansOver(this.all, this.plans, cell, at);
    if (!offered.length) {
      this.tryout.refuse(at);
      return;
    }
    this.offered = offered;
    const plan = this.offeredByHeld() ?? offered[0];
    this.choose(plan.spot, plan.region);
  }

  /** Returns the best plan that is offered of the cards that were chosen by hand. */
  offeredByHeld() {
    const { region, action } = this.held;
    return this.offered.find(
      (one) => (region ?? one.region) === one.region && (action ?? one.card) === one.card,
    );
  }

  /** Says what a hex is, and the best plan for a spot there. */
  sayCell(cell) {
    this.pointed = true;
    const [best] = plansOver(this.all, this.plans, cell, this.board.pointOf(cell));
    const plan = best && `${planWords({ ...best, action: best.card })}, ${spotWords(best.spot, this.board)}`;
    announce(`${this.board.describe(cell)}. ${plan ? `${plan}. ${text.enterChooses}` : ""}`);
  }

  /** Chooses the card of a region. */
  pickRegion(at) {
    const name = this.board.under(at)?.region;
    this.hand.press("region", this.view.inactive.includes(name) ? "inactive" : name);
  }

  /** Draws what the cards allow, and the spot in mind. */
  update() {
    const { board, tryout } = this;
    board.clear("preview", "labels");
    this.drawAllowed();
    this.turned.replaceChildren(fiefPicture(this.turn.fief, tryout.turn.rotation, this.color, 15));
    board.clear("ghost");
    if (this.chosen) tryout.drawPiece("ghost", this.chosen);
    board.layers.ghost.classList.toggle("unfit", Boolean(this.chosen) && !this.fits);
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
    if (name === " " && onBoard) this.pick(this.board.pointOf(this.board.cursorCell));
    else if (name === "r") tryout.rotate(1);
    else if (name === "R") tryout.rotate(-1);
    else if (name === "n") tryout.walk(1);
    else if (name === "p") tryout.walk(-1);
    else return false;
    return true;
  }

  /** Chooses a plan for the hex to which the cursor has been moved; seals one that is chosen. */
  enter(onBoard) {
    if (onBoard && this.pointed) this.pick(this.board.pointOf(this.board.cursorCell));
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
