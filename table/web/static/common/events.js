// What happens in a game in words: lines of the log, and choices.

import { fill, listed, plural, words } from "../words/index.js";
import { planWords, playerName } from "./words.js";

const { events } = words;

/** Returns a sentence's parts joined by commas, without those that are empty. */
const commas = (...parts) => parts.flat().filter(Boolean).join(", ");

const gained = ({ points }) => fill(events.points, points);
const ringWords = (forms, { cells }) => forms[cells.length - 1];

/** Returns what a placement or a wedding covers and scores, such as "Rouen, Lyon, +6". */
export const coveredWords = (event) =>
  commas(event.sites, event.leagues.map((sea) => fill(events.league, sea)), gained(event));

const pointsOfAll = ({ points }, view) =>
  listed(view.players.map((player, seat) => `${playerName(player)} ${fill(events.points, points[seat])}`));

/** Returns who has won, such as "Ada wins with 61 points". */
export function victoryWords({ seats, points }, view) {
  const names = listed(seats.map((seat) => playerName(view.players[seat])));
  const tell = seats.length === 1 ? events.victory : events.sharedVictory;
  return fill(tell, names, plural(points, events.pointsOfVictory));
}

/** How each kind of event is told; a kind that is not here is told in the server's words. */
const TELL = {
  plan: (event) => (event.region ? fill(events.plan, planWords(event)) : events.planned),
  reveal: () => events.reveal,
  order: ({ place, card, by, ...plan }) =>
    commas(
      fill(events.order, words.common.places[place - 1], planWords(plan)),
      by && (by === "card" ? fill(events.precedence.card, card) : events.precedence[by]),
    ),
  fief: (event) => `${fill(events.fief, event.fief)}: ${coveredWords(event)}`,
  wedding: (event) => `${ringWords(events.wedding, event)}: ${coveredWords(event)}`,
  donation: (event) => commas(events.donation, gained(event)),
  round: ({ round, last }) => (last ? fill(events.lastRound, round) : fill(events.round, round)),
  over: ({ rounds }) => rounds && plural(rounds, events.over),
  final: ({ pieces, group, cities, objective, score }) =>
    pieces !== undefined &&
    `${commas(
      `${plural(pieces, events.group)} ${fill(events.points, group)}`,
      cities !== undefined && `${plural(cities, events.objective)} ${fill(events.points, objective)}`,
    )}: ${plural(score, events.score)}`,
  victory: victoryWords,
  scoring: (event, view) => fill(events.scoring, event.round, pointsOfAll(event, view)),
  initiative: (event, view) => fill(events.initiative, pointsOfAll(event, view)),
  take_back: () => events.takeBack,
  agent: ({ agent }) => fill(events.agent, agent),
  person: () => events.person,
};

/** Returns a line of the log in words, which follow the player's name if it has a seat. */
export const lineWords = ({ text, event }, view) => TELL[event?.kind]?.(event, view) || text;

const CHOICES = {
  fief: (choice, fief) => `${fill(events.choices.fief, fief)}: ${coveredWords(choice)}`,
  wedding: (choice) => `${ringWords(events.choices.wedding, choice)}: ${coveredWords(choice)}`,
  donation: (choice) => commas(events.choices.donation, gained(choice)),
};

/** Returns a placement of a turn as what to do, such as "Place fief 5: Rouen, +6". */
export const choiceWords = (choice, fief) => CHOICES[choice.kind](choice, fief);

/** Returns the hexes that lines are about, such as those of the fief that was placed. */
export const cellsOf = (lines) => lines.flatMap(({ event }) => event?.cells ?? []);
