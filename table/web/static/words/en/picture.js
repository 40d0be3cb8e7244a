// Words of the table of games that are shown in blocks of drawings.

export default {
  keys: [
    ["↑ ↓ n p", "next and previous choice"],
    ["a … z", "next choice that begins with this letter"],
    ["Enter", "choose, then confirm"],
    ["Esc", "take the choice back"],
    ["h", "hint"],
    ["s", "skip what is being shown"],
    ["?", "this help"],
  ],
  turn: (question) => `Your turn: ${question}`,
  decides: (question) => `decides: ${question}`,
  you: "you",
  winner: "winner",
  acts: "to act",
  blockOf: (block, player) => `${block} of ${player}`,
  reconstruction: (title) => `${title}, not the printed game`,
  play: "Play",
  showAll: "Show all choices",
  actions: "actions",
  rowByRow: "Choose row by row; the board shows what it leads to.",
  choicesHere: (number) => `${number} choices here.`,
  chosen: (choice) => `${choice}. Press Enter to play, Escape to take it back.`,
  chooseOne: "Choose one of these.",
  choose: "Choose here or on the board.",
};
