// Learning: the page /learn, puzzles, and the lessons of the first game.

export default {
  title: "Learn",
  lead: "A first game with six lessons, puzzles from real games, and the rules.",
  firstTitle: "Your first game",
  firstText:
    "Two players on a fixed deal. Six lessons bring an idea and something to try each; you can leave at any time.",
  puzzlesTitle: "Puzzles",
  puzzlesText:
    "Positions from games between agents. Each has one best answer, checked by the rules or by thousands of games played on.",
  solvedOf: (solved, all) => `${solved} of ${all} solved`,
  rulesTitle: "The rules",
  rulesText: "All of them on one page, with pictures.",
  rulesOpen: "Read the rules",
  levels: ["", "Easy", "Medium", "Hard"],
  solved: "solved",
  puzzle: "Puzzle",
  puzzleNumber: (number) => `Puzzle ${number}`,
  players: (number) => `${number} players`,
  kinds: {
    points: "Most points now",
    plan: "The plan for most points",
    first: "Certain to go first",
    reply: "Their best reply",
    final: "The last move",
    best: "The best in the long run",
  },
  questions: {
    points: () => "Which move scores the most points now, with all that it sets off?",
    plan: () =>
      "If nobody places before you: which region and action card let your fief score the most?",
    first: () =>
      "Which plan is certain to go first, whatever the others plan, and scores the most? Do not spend a ring in vain.",
    reply: (rival) =>
      `${rival} places after you and takes the most points possible. Which move leaves you furthest ahead: your points less theirs?`,
    final: () =>
      "The last move of the game. Which one gives you the most points, final scoring included?",
    best: (rival, number) => `Which of these ${number} choices wins most often?`,
  },
  reasons: {
    points: (points, parts) => `scores ${points}${parts && ` (${parts})`}`,
    plan: (points) => `scores ${points} at most`,
    first: (points) => `goes first and scores ${points} at most`,
    before: (name, cards) => `may come too late: ${name} goes before it with ${cards}`,
    needless: "goes first without the ring too",
    reply: ({ own, rival, points, by, value }) =>
      `you score ${own}, ${rival} then ${points}${by && ` (${by})`}: ${value}`,
    final: (total, parts) => `${total} points at the end (${parts})`,
    best: (percent) => `wins ${percent} of the games`,
  },
  sourceOf: (source, points) => `${source} +${points}`,
  right: "That is it!",
  wrong: "There is a better one.",
  yours: "Yours",
  best: "The best",
  evidence: (playouts) => `each choice was played on ${playouts} times, to the end of the game`,
  showBest: "Show the answer",
  again: "Try again",
  next: "Next puzzle",
  all: "All puzzles",
  playOn: "Play on from here",
  lessons: "Lesson",
  lessonOf: (round) => `Lesson ${round}`,
  leave: "End the lessons",
  showMe: "Show me",
  lesson: {
    plan: ({ region, card, spots }) =>
      `Everybody plans in secret: a region card says where, an action card what. Choose ${region} and ${card}: your fief has ${spots} spots there.`,
    planAny: ({ region, card }) => `Plan again: ${region} and ${card} look good for this fief.`,
    place: ({ points }) =>
      `Now place it: point at the map, rotate with R, then press Play. A city or harbor counts 3 in a flourishing region: find a spot for +${points}.`,
    locked: ({ region, card, own, rival, name }) =>
      `The cards of last round are locked: yours (${own}) and ${name}’s (${rival}), so you know a part of what can come. Choose ${region} and ${card}.`,
    lockedAny: ({ region, card, own, rival, name }) =>
      `The cards of last round are locked: yours (${own}) and ${name}’s (${rival}). Choose ${region} and ${card}.`,
    cities: ({ points }) => `Card ${"B"} covers cities, but no harbor. Find a spot for +${points}.`,
    league: ({ region, card, sea, held }) =>
      `Three harbors of one sea are a league: 10 points, once. You hold ${held} of ${sea}, so choose ${region} and ${card}.`,
    harbors: ({ region, card, sea }) =>
      `Three harbors of one sea are a league: 10 points, once. Choose ${region} and ${card}, and go for ${sea}.`,
    leagueNow: ({ sea, points }) => `Cover the harbor that completes ${sea}: +${points}.`,
    harborsNow: ({ sea }) => `Cover harbors of ${sea}: the third founds the league.`,
    alliance: ({ region, card }) =>
      `Card ${card} allows a wedding: one ring, or two side by side, in place of the fief. Choose ${region} and ${card}.`,
    wedding: ({ sites }) =>
      `Press Wedding, then two marked hexes: ${sites}. A ring may lie on another player’s fief and counts like a fief of your own.`,
    privilege: ({ region, card, name }) =>
      `A goes before B, B before C; on a tie the lower fief card. King’s Privilege costs a ring and puts you before ${name}: choose ${region}, ${card} and ♔.`,
    turn: ({ name, points }) =>
      `You go first, and ${name} has to take what you leave. Take the spot for +${points}.`,
    objective: ({ region, card }) =>
      `Dashed circles mark the six cities of your secret objective: four are 15 points at the end, six are 35. Choose ${region} and ${card}.`,
    group: ({ sites }) =>
      `Pieces that touch are a group; the largest one is worth 15 points at the end. Touch your own pieces and cover ${sites}.`,
    blocked: () => "There is no good spot left for this card. A donation always gives 3 points.",
    onYourOwn: () =>
      "You know all of it now. When 3 or fewer flourishing sites are open, one round is left; Hint shows what an agent would do.",
    last: () =>
      "This is the last round. Rings are worth nothing afterwards, so spend them now if you can.",
    waiting: ({ name }) => `Your plan is sealed. ${name} plans too; then all plans are opened.`,
    watching: ({ name }) => `${name} is to move.`,
    over: () =>
      "The final scoring adds the largest group and the objectives. You have played a whole game: try a puzzle next, or a game against another agent.",
  },
  done: {
    plan: "Well planned.",
    place: "Well placed: both count.",
    locked: "Well planned.",
    cities: "Well placed.",
    league: "That is the way to a league.",
    leagueNow: "Your first sea league!",
    alliance: "Now you may choose between the fief and a wedding.",
    wedding: "Your first wedding. The fief is spent, the rings stay.",
    privilege: "The ring is paid, and you go first.",
    turn: "Taken before anybody else could.",
    objective: "That serves your objective.",
    group: "The group grows.",
  },
  otherwise: "That works too. There is no single right way.",
  coachTitle: "Coach",
  coachOff: "Switch the coach off",
  coachMore: "Show all that the coach says",
  coach: {
    plan:
      "Your fief of this round is shown in your panel. Choose a region card (where it shall lie) and " +
      "an action card (what it may cover). All plans are revealed together: A acts before B, B before C.",
    planAgain:
      "Dashed circles on the map mark the six cities of your secret objective. Four of them are worth " +
      "15 points at the end, six 35. Three harbors of one sea are a league: 10 points.",
    locked:
      "Cards of the last round are locked for this one, for the others too: the panels show which. " +
      "So you know a part of what they can plan.",
    endNear:
      "After round 6 and each later one: if 3 or fewer flourishing cities and harbors are open, the next " +
      "round is the last. Keep an eye on your objective and on your largest group.",
    place:
      "Point at the map: the fief snaps to a legal spot nearby. R, the wheel or its pictures rotate it. " +
      "Choose a spot, then press Play. A site is worth 3 points where the region flourishes, else 1.",
    placeAgain:
      "Pieces that touch form a group, and the largest group is worth 15 points at the end. If you are " +
      "not sure, ask for a hint: an agent shows its best spots on the map.",
    wedding:
      "With card C you may arrange a wedding instead: one ring, or two on neighbouring hexes. A ring " +
      "counts as a small fief and may lie on another player’s fief. You have six for the whole game.",
    blocked:
      "The others took your room: this fief fits nowhere, so donate it for 3 points. King’s Privilege " +
      "lets you act before them next time; card C leaves you the choice of a wedding.",
    rings:
      "This fief fits nowhere, but a wedding is possible: put one ring, or two side by side, on marked " +
      "hexes. A ring on a city or harbor scores like a fief. You may also donate the fief for 3 points.",
    last:
      "This is the last round. Rings are worth nothing afterwards, so spend them now if you can: think " +
      "of your objective, the largest group and open leagues.",
    waiting:
      "Your plan is sealed. The others plan now; then all plans are opened.",
    watching:
      "You watch this game: you see what lies open on the table.",
    over:
      "The table shows where the points come from. Play again, or step through this game.",
  },
};
