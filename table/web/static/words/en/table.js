export default {
  acts: "acts",
  away: "away",
  fief: (number) => `fief ${number}`,
  locked: (cards) => `${cards}: locked in this round`,
  objective: (held, points) => `Your objective: ${held} of 6 cities, ${points} points`,
  planning: "planning…",
  points: "points",
  ready: "ready",
  rings: (number) => `${number} rings left`,
  winner: "winner",
};
