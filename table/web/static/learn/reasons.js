// What a choice of a puzzle is worth, in words.

import { choiceWords } from "../common/events.js";
import { planWords, playerName } from "../common/words.js";
import { fill, number, words } from "../words/index.js";

const { common, events, learn } = words;

const signed = (value) => number(value, { signDisplay: "exceptZero" });

/** Returns the points of each source, such as "zones +6, crops +1". */
const sourcesOf = (gained, look) =>
  Object.values(gained)
    .map((points, i) => points && fill(learn.sourceOf, (look.sources ?? common.sources)[i], points))
    .filter(Boolean)
    .join(", ");

/** How each question says what a choice is worth. */
const REASONS = {
  points: ({ value, parts }, view, look) => {
    const sources = parts.gained ? sourcesOf(parts.gained, look) : "";
    return fill(sources ? learn.reasons.pointsBy : learn.reasons.points, signed(value), sources);
  },
  plan: ({ value }) => fill(learn.reasons.plan, signed(value)),
  first: ({ parts }, view) => {
    if (parts.needless) return learn.reasons.needless;
    const [first] = parts.before;
    if (!first) return fill(learn.reasons.first, signed(parts.points));
    const cards = first.privilege ? `${first.card} + ${common.privilege}` : first.card;
    return fill(learn.reasons.before, playerName(view.players[first.seat]), cards);
  },
  reply: ({ value, parts }, view) => {
    const by = [...parts.sites, ...parts.leagues.map((sea) => fill(events.league, sea))].join(", ");
    const rival = playerName(view.players[parts.rival]);
    const said = { own: parts.own, rival, points: parts.after, by, value: signed(value) };
    return fill(by ? learn.reasons.replyBy : learn.reasons.reply, said);
  },
  final: ({ parts }, view, look) => fill(learn.reasons.final, parts.total, sourcesOf(parts.gained, look)),
  best: ({ value }) => fill(learn.reasons.best, number(value, { style: "percent" })),
};

/** Returns why a choice is worth what it is. */
export const reasonWords = (question, told, view, look) => REASONS[question](told, view, look);

/** Returns a choice of a turn in words. */
export function choiceName(turn, action) {
  const choices = turn.plans ?? turn.placements ?? turn.choices;
  const choice = choices.find((one) => one.action === action);
  if (turn.plans) return planWords({ ...choice, action: choice.card });
  return turn.placements ? choiceWords(choice, turn.fief.number) : choice.words;
}
