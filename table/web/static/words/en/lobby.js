export default {
  learn: "Learn",
  rules: "Rules",
  records: "Records",
  title: "Board games of the Renaissance",
  about:
    "Play against agents from beginner to master, or send friends a link. Nothing to install, no account.",
  aboutHere:
    "Play against agents from beginner to master, here in your browser: nothing is sent anywhere, and nobody else can join from another machine.",
  yourTables: "Your tables",
  chooseGame: "Choose a game",
  newHere: "New here?",
  firstGame: "Play your first game",
  firstAbout: "A short game with a coach that teaches one idea at a time.",
  puzzles: "Puzzles",
  readRules: "Read the rules",
  newGame: "A new game",
  name: "Your name",
  players: "Players",
  whoPlays: "Who plays",
  options: "Map and rules",
  map: "Map",
  scenario: "Scenario",
  leagues: "Sea leagues",
  firstCheck: "First check for the end after round",
  start: "Start the game",
  guest: "Guest",
  player: (number) => `Player ${number}`,
  you: "you",
  someone: "someone else",
  people: "people",
  agents: "agents",
  randomScenario: "drawn at random",
  reconstruction: (name) => `${name} (a reconstruction)`,
  league: {
    each_player: "each player may found one in each sea",
    first_only: "one in each sea for all players",
  },
  yes: "yes",
  no: "no",
  numPlayers: (first, last) => `${first} to ${last} players`,
  games: {
    gonzaga: {
      line: "Lay fiefs, marry well, found leagues of the sea",
      about:
        "Everybody plans in secret where the next fief shall lie, then places it on the map of " +
        "Europe: cities and harbors score at once, sea leagues and large groups more. Half an hour.",
    },
    tuscany: {
      line: "Build up your duchy, tile by tile",
      about:
        "Draw cards, take tiles and place them in your duchy: green points now, red points that " +
        "count again and again. An hour.",
    },
    signorie: {
      line: "Send your family to power, by dice and brides",
      about:
        "Dice pay for actions, helpers and weddings; sons make careers and daughters marry into " +
        "the other cities. An hour and a half.",
    },
  },
  mapNamed: (name) => `map ${name}`,
  table: (id) => `Table ${id}`,
  waitsFor: (names) => `waits for ${names}`,
  resume: "Resume",
  look: "Look",
  over: "over",
  forget: "Forget",
  forgetTable: (name) => `Forget ${name}`,
  levels: {
    novice: "Novice",
    beginner: "Beginner",
    club: "Club player",
    expert: "Expert",
    master: "Master",
  },
  storesNothing:
    "This browser stores nothing: you can play, but it forgets your tables when you close their page.",
};
