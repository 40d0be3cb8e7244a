export default {
  levels: {
    novice: "Novice",
    beginner: "Beginner",
    club: "Club player",
    expert: "Expert",
    master: "Master",
  },
  unrated: "unrated",
  title: "The ladder",
  about:
    "The agents have played thousands of games against each other. Play rated games against them " +
    "and find your place.",
  rungs: "Who stands where",
  game: "Game",
  players: "Players",
  place: "Place",
  agent: "Player",
  rating: "Rating",
  interval: "95 % range",
  atMost: (rating) => `≤ ${rating}`,
  between: (low, high) => `${low} to ${high}`,
  play: "Play",
  playAgainst: (agent) => `Play a rated game against ${agent}`,
  you: "You",
  yourRating: "Your rating",
  noRating: "You have no rated game here yet.",
  numGames: { one: "after # game", other: "after # games" },
  vague: "Still vague: a few more games narrow it down.",
  curve: (first, last) => `Your rating game by game, from ${first} to ${last} now`,
  yourGames: "Your rated games",
  date: "Date",
  opponents: "Against",
  result: "Result",
  won: "won",
  shared: "shared the victory",
  placed: (place, number) => `${place} of ${number}`,
  resigned: "lost (resigned)",
  abandoned: "lost (not played to the end)",
  late: "lost (out of time)",
  conceded: "won (the other gave up)",
  failed: "does not count (an agent failed)",
  replaced: "does not count (somebody gave up)",
  left: "does not count (not played to the end)",
  address: "does not count (two seats at one address)",
  person: (rating) => `a person (${rating})`,
  goesOn: "goes on",
  open: "Open",
  openGame: (when) => `Open the game of ${when}`,
  how: "How it works",
  howText: [
    "400 points mean ten times the strength: against an agent 400 points weaker you would win ten " +
      "times as often as you lose. The agent “greedy” stands at 1000, in Signorie “planner”. Each " +
      "game, and each number of players, has a ladder of its own.",
    "A rated game has one person or several who agree to it, and agents with a known rating at all " +
      "other seats, on the usual map, with the usual rules. There are no hints and no take-backs, and " +
      "you play one rated game at a time.",
    "A rated game that you resign counts as lost. So does one that you leave: the server deletes " +
      "tables that nobody uses, and counts the game as lost then. If an agent fails, resigning costs nothing.",
    "Games among people have a clock. Whoever resigns or runs out of time loses: with two players the " +
      "other one wins, with more the game does not count for the others. A game does not count at all if " +
      "an agent fails, if all stop playing, or if two seats are played from one address. Other people " +
      "have the rating that they had when the game began; without rated games it is 1000.",
    "Your rating is the most probable strength after all your games, given those of the others. " +
      "The range says how sure it is.",
  ],
  key: "Your key",
  keyText:
    "There is no account. This browser has a random key, and the server keeps your games under a " +
    "fingerprint of it, without name or address. Whoever has the key has your rating.",
  noKey: "You get a key with your first rated game. If you have one in another browser, enter it here.",
  showKey: "Show my key",
  copyKey: "Copy",
  copied: "Copied",
  keyLabel: "Your key",
  enterKey: "Key of another browser",
  useKey: "Use this key",
  badKey: "A key has 32 letters, digits, - and _.",
  replacesKey: "It replaces the key of this browser. Copy that first if you want to keep its games. Go on?",
  forget: "Forget me",
  forgetSure: "Delete your ratings and all results from the server, and the key from this browser?",
  forgotten: { one: "# game was deleted.", other: "# games were deleted." },
  ratedTable: "Rated game",
  ratedTableAbout: "no hints, no take-backs; leaving it counts as lost",
  ratingEnded: "This game is not rated any more. How it counts is on the",
  resign: "Resign",
  resignSure: "Resign? The game counts as lost. You may play on for fun.",
  resignFailed: "Stop this game? An agent has failed, so it does not count.",
};
