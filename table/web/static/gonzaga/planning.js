// The choice of a plan: a region card, an action card, and King's Privilege on top.

import { announce, button, byId, make } from "../common/dom.js";
import { fiefPicture } from "../common/shapes.js";
import { ACTIONS, planWords, regionName } from "../common/words.js";

/** The cards of one planning turn. `play(action)` is called when the plan is confirmed. */
export class Planning {
  constructor({ plans, view, seat, board, play }) {
    this.plans = plans;
    this.view = view;
    this.board = board;
    this.play = play;
    this.player = view.players[seat];
    this.choice = { region: null, action: null, privilege: false };
    this.regions = [...view.flourishing, ...(view.inactive.length ? ["inactive"] : [])];
  }

  /** Shows the cards in a panel. */
  open(panel) {
    this.confirm = button("Seal the plan", () => this.submit(), { class: "primary", id: "confirm" });
    this.said = make("p", { class: "choice", id: "choice" });
    this.form = make(
      "form",
      { class: "planning", onsubmit: (event) => event.preventDefault() },
      this.row("region", "Region card", this.regions.map((region) => this.regionCard(region))),
      this.row("action", "Action card, and King’s Privilege on top if you like", [
        ...Object.keys(ACTIONS).map((name) => this.actionCard(name)),
        this.privilegeCard(),
      ]),
      make("div", { class: "buttons" }, this.confirm, this.said),
    );
    panel.replaceChildren(this.heading(), this.form);
    this.board.handlers = { pick: (at) => this.pickRegion(at) };
    this.update();
  }

  /** Returns the heading, with the fief that the plan is for. */
  heading() {
    const { colors, fiefs } = this.board.data;
    const fief = fiefs.find((one) => one.number === this.player.fief);
    const picture = fiefPicture(fief, 0, colors.players[this.player.seat], 15);
    return make("h2", {}, `Plan in secret for fief ${fief.number} `, picture);
  }

  row(name, title, cards) {
    return make("fieldset", { class: `cards ${name}` }, make("legend", {}, title), ...cards);
  }

  /** Returns a card: a radio button or a box to tick, so that keys and screen readers know it. */
  card({ type, name, value, title, text, reason, shortcut }) {
    const input = make("input", {
      type,
      name,
      value,
      disabled: Boolean(reason),
      onchange: () => this.choose(name, type === "checkbox" ? input.checked : value),
    });
    const lines = [make("b", {}, title), make("small", {}, reason || text)];
    const hint = reason ? "" : ` (key ${shortcut})`;
    const tip = `${title}: ${reason || text}${hint}`;
    return make("label", { class: `card${reason ? " locked" : ""}`, title: tip }, input, ...lines);
  }

  regionCard(region) {
    const inactive = region === "inactive";
    return this.card({
      type: "radio",
      name: "region",
      value: region,
      title: regionName(region),
      text: inactive ? "1 point a site" : "3 points a site",
      reason: this.reason((plan) => plan.region === region, this.player.locked?.region === region),
      shortcut: this.regions.indexOf(region) + 1,
    });
  }

  actionCard(name) {
    return this.card({
      type: "radio",
      name: "action",
      value: name,
      title: `${name} ${ACTIONS[name].name}`,
      text: ACTIONS[name].text,
      reason: this.reason((plan) => plan.card === name, this.player.locked?.action === name),
      shortcut: name.toLowerCase(),
    });
  }

  privilegeCard() {
    const rings = this.player.rings ? "" : "no ring left to pay for it";
    const reason = this.reason((plan) => plan.privilege, this.player.locked?.privilege) || "";
    return this.card({
      type: "checkbox",
      name: "privilege",
      value: "yes",
      title: "♔ Privilege",
      text: "act first; costs a ring",
      reason: rings || reason,
      shortcut: "k",
    });
  }

  /** Says why a card cannot be played; an empty text if it can. */
  reason(isCard, locked) {
    if (this.plans.some(isCard)) return "";
    return locked ? "played last round" : "not available";
  }

  choose(name, value) {
    this.choice[name] = value;
    this.update();
  }

  /** Takes over a plan, such as a hint's. */
  chooseAction(action) {
    const plan = this.plans.find((one) => one.action === action);
    if (!plan) return;
    this.choice = { region: plan.region, action: plan.card, privilege: plan.privilege };
    for (const input of this.form.elements) {
      if (input.name === "privilege") input.checked = plan.privilege;
      else if (input.name in this.choice) input.checked = input.value === this.choice[input.name];
    }
    this.update();
  }

  plan() {
    const { region, action, privilege } = this.choice;
    return this.plans.find(
      (plan) => plan.region === region && plan.card === action && plan.privilege === privilege,
    );
  }

  update() {
    const plan = this.plan();
    this.confirm.disabled = !plan;
    const { region, action } = this.choice;
    const missing = !region ? "Choose a region card." : !action ? "Choose an action card." : "";
    const words = plan ? planWords({ region, action, privilege: this.choice.privilege }) : missing;
    this.said.textContent = words;
    if (plan) announce(`${words}. Press Enter to seal the plan.`);
  }

  /** Chooses the card of the region that is clicked on the map. */
  pickRegion(at) {
    const name = this.board.under(at)?.region;
    if (!name) return;
    this.press("region", this.view.inactive.includes(name) ? "inactive" : name);
  }

  press(name, value) {
    const input = [...this.form.elements].find((one) => one.name === name && one.value === value);
    if (input && !input.disabled) input.click();
  }

  /** Handles a key; returns whether it was one of the planning's. */
  onKey(name) {
    if (name === "Enter") this.submit();
    else if (name === "k") this.press("privilege", "yes");
    else if ("abc".includes(name)) this.press("action", name.toUpperCase());
    else if (/^[1-7]$/.test(name)) this.press("region", this.regions[Number(name) - 1]);
    else return false;
    return true;
  }

  submit() {
    const plan = this.plan();
    if (plan) this.play(plan.action);
    else byId("choice")?.classList.add("missing");
  }

  close() {
    this.board.handlers = {};
  }
}
