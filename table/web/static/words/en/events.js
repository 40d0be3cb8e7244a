// What happens in a game: lines of the log (a player's name stands before them), and choices.

export default {
  planned: "has planned",
  plan: (plan) => `plans ${plan}`,
  reveal: "Plans are open",
  order: (place, plan) => `is ${place} with ${plan}`,
  precedence: {
    privilege: "ahead by King’s Privilege",
    action: "ahead by the action card",
    card: (number) => `ahead by the lower fief card, ${number}`,
  },
  fief: (number) => `places fief ${number}`,
  wedding: ["arranges a wedding with one ring", "arranges a wedding with two rings"],
  donation: "donates the fief",
  choices: {
    fief: (number) => `Place fief ${number}`,
    wedding: ["Arrange a wedding with one ring", "Arrange a wedding with two rings"],
    donation: "Donate the fief",
  },
  league: (sea) => `sea league of ${sea}`,
  points: (number) => `+${number}`,
  round: (number) => `Round ${number} begins`,
  lastRound: (number) => `Round ${number}, the last, begins`,
  over: { one: "The game is over after # round", other: "The game is over after # rounds" },
  group: { one: "has # connected piece", other: "has # connected pieces" },
  objective: { one: "# city of the objective", other: "# cities of the objective" },
  score: { one: "# point", other: "# points" },
  pointsOfVictory: { one: "# point", other: "# points" },
  victory: (name, points) => `${name} wins with ${points}`,
  sharedVictory: (names, points) => `${names} share the victory with ${points}`,
  scoring: (round, points) => `Round ${round} is scored: ${points}`,
  initiative: (points) => `Initiative is scored: ${points}`,
};
