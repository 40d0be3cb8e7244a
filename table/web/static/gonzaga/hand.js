// The cards in hand: regions, actions and King's Privilege, to be chosen by mouse, touch or keys.

import { make } from "../common/dom.js";
import { regionName } from "../common/words.js";
import { fill, plural, words } from "../words/index.js";
import { actionPicture, privilegePicture, regionPicture } from "./cards.js";
import { refusalReason } from "./refusals.js";

const text = words.gonzaga;
const FIELDS = { region: "region", action: "card", privilege: "privilege" }; // of plans, by deck
const VALUES = { flourishing: 3, inactive: 1 }; // points of a site (R6.1)

/** A hand of cards. A card of a `deck` has a `value`: a name, or true for King's Privilege. */
export class Hand {
  /** `take(deck, value)` is called for a card that is chosen, `peek` for one that is pointed at. */
  constructor({ turn, view, seat, look, color, take, peek }) {
    this.turn = turn;
    this.view = view;
    this.seat = seat;
    this.take = take;
    this.peek = peek;
    this.cards = [];
    this.regions = [...view.flourishing, ...(view.inactive.length ? ["inactive"] : [])];
    this.rows = [
      row("region", text.regionCard, this.regions.map((name, i) => this.region(name, i, look))),
      row("action", text.actionCard, [
        ...Object.keys(words.common.actions).map((name) => this.action(name)),
        this.privilege(color),
      ]),
    ];
  }

  region(name, i, look) {
    const points = VALUES[name === "inactive" ? "inactive" : "flourishing"];
    return this.card("region", name, {
      title: regionName(name),
      face: regionPicture(name, look, this.view),
      corner: String(points),
      rule: plural(points, text.siteWorth),
      shortcut: i + 1,
    });
  }

  action(name) {
    return this.card("action", name, {
      title: words.common.actions[name].name,
      face: actionPicture(name),
      corner: name,
      rule: words.common.actions[name].text,
      shortcut: name.toLowerCase(),
    });
  }

  privilege(color) {
    return this.card("privilege", true, {
      title: text.privilegeCard,
      face: privilegePicture(color),
      corner: null,
      rule: text.privilegeRule,
      shortcut: "k",
    });
  }

  /** Returns a card: a radio button or a box to tick, so that keys and screen readers know it. */
  card(deck, value, { title, face, corner, rule, shortcut }) {
    const locked = this.locked(deck, value);
    const input = this.input(deck, value, locked);
    const count = make("small", { class: "count" }, locked?.reason);
    this.cards.push({ deck, value, input, count, locked });
    return make(
      "label",
      {
        class: `card${locked ? " locked" : ""}`,
        title: locked ? `${title}: ${locked.whole}` : fill(text.cardTitle, title, rule, shortcut),
        // A card that comes to lie under a pointer is not pointed at.
        onmousemove: ({ movementX, movementY }) => (movementX || movementY) && !locked && this.peek(deck, value),
        onmouseleave: () => this.peek(),
      },
      input,
      corner && make("span", { class: "worth", "aria-hidden": "true" }, corner),
      face,
      make("b", {}, title),
      make("small", { class: "rule" }, rule),
      count,
    );
  }

  input(deck, value, locked) {
    const input = make("input", {
      type: deck === "privilege" ? "checkbox" : "radio",
      name: deck,
      value: String(value),
      disabled: Boolean(locked),
      onchange: () => this.take(deck, deck === "privilege" ? input.checked : value),
      onfocus: () => input.matches(":focus-visible") && this.peek(deck, value),
      onblur: () => this.peek(),
    });
    return input;
  }

  /** Says why a card cannot be played, in short and with the rule; null if it can. */
  locked(deck, value) {
    const name = deck === "privilege" ? "privilege" : value;
    const held = this.turn.held.find((one) => one.deck === deck && one.card === name);
    if (held) {
      const reason = refusalReason(held.refusal, this.view, this.seat);
      return { reason, whole: `${reason} (${held.refusal.rule})` };
    }
    const offered = this.turn.plans.some((plan) => plan[FIELDS[deck]] === value);
    return offered ? null : { reason: text.notOffered, whole: text.notOffered };
  }

  /** Chooses a card as a click would, if it can be played. */
  press(deck, value) {
    const found = this.cards.find((card) => card.deck === deck && card.value === value);
    if (found && !found.locked) found.input.click();
  }

  /** Shows a choice that was made elsewhere. */
  show(choice) {
    for (const { deck, value, input } of this.cards) input.checked = choice[deck] === value;
  }

  /** Writes on the cards how many spots each would open, and what the best of them scores. */
  count(spotsWith) {
    for (const { deck, value, count, locked } of this.cards) {
      if (locked || deck === "privilege") continue;
      const points = spotsWith({ [deck]: value }).map((spot) => spot.points);
      count.textContent = points.length
        ? `${plural(points.length, text.spots)}\n${fill(text.best, Math.max(...points))}`
        : text.noSpots;
      count.classList.toggle("none", !points.length);
    }
  }
}

const row = (name, title, cards) =>
  make("fieldset", { class: `cards ${name}` }, make("legend", {}, title), ...cards);
