// How long everybody may still think, as the server says it, counted down between its answers.

import { byId, make } from "../common/dom.js";
import { plural, words } from "../words/index.js";

const said = words.table.clock;
const TICK_MS = 500;
const SOON = 20; // seconds; then the time is marked
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

/** Returns a time in words, such as "1:05" or "2 d 3 h". */
export function timeWords(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const two = (number) => String(number).padStart(2, "0");
  if (whole >= DAY) return said.days(Math.floor(whole / DAY), Math.floor((whole % DAY) / HOUR));
  const [hours, minutes] = [Math.floor(whole / HOUR), Math.floor((whole % HOUR) / MINUTE)];
  const rest = `${hours ? two(minutes) : minutes}:${two(whole % MINUTE)}`;
  return hours ? `${hours}:${rest}` : rest;
}

/** Returns a pace in words; "" for none. */
export function paceWords(pace) {
  if (!pace) return "";
  const days = pace.seconds / DAY;
  const time = Number.isInteger(days) ? plural(days, said.fullDays) : timeWords(pace.seconds);
  if (pace.per === "move") return said.perMove(time);
  return pace.increment ? said.perGameMore(time, pace.increment) : said.perGame(time);
}

/** The clocks of a table, in a line above the turn. */
export class Clocks {
  constructor() {
    this.box = make("ul", { id: "clocks", class: "clocks", "aria-label": said.title, role: "timer" });
    byId("company").before(this.box);
    this.box.hidden = true;
    setInterval(() => this.tick(), TICK_MS);
  }

  /** Takes an answer of the server. */
  show({ clock, seats, seat, over }) {
    this.heard = performance.now();
    this.clock = over ? null : clock;
    this.box.hidden = !this.clock;
    if (!this.clock) return;
    this.box.title = `${paceWords(clock.pace)}. ${said.then(clock.pace.agent)}`;
    this.rows = seats
      .filter((one) => one.seat in clock.left && one.kind === "human")
      .map((one) => {
        const runs = clock.running.includes(one.seat);
        const time = make("b", { class: "time" });
        const name = one.seat === seat ? words.table.panel.you : one.name || words.common.player(one.seat + 1);
        const row = make("li", { class: runs ? "runs" : "", "data-seat": one.seat }, `${name} `, time);
        return { row, time, left: clock.left[one.seat], runs };
      });
    this.box.replaceChildren(...this.rows.map(({ row }) => row));
    this.tick();
  }

  tick() {
    if (!this.clock) return;
    const gone = (performance.now() - this.heard) / 1000;
    for (const { row, time, left, runs } of this.rows) {
      const now = runs ? left - gone : left;
      time.textContent = timeWords(now);
      row.classList.toggle("soon", runs && now < SOON);
    }
  }
}
