// Words of the game that many pages use.

export default {
  actions: {
    A: { name: "Harbors", text: "a harbor, no city" },
    B: { name: "Cities", text: "no harbor" },
    C: { name: "Alliance", text: "city and harbor, or wedding" },
  },
  sources: ["cities", "harbors", "leagues", "donations", "group", "objective"],
  places: ["1st", "2nd", "3rd", "4th"],
  inactiveRegion: "inactive region",
  inactiveRegions: "Inactive regions",
  privilege: "King’s Privilege",
  player: (number) => `Player ${number}`,
  round: (number, stage) => `Round ${number} · ${stage}`,
  over: (rounds) => `Over after ${rounds} rounds`,
  stages: { plan: "planning", place: "placing" },
  language: "Language",
  offline: "The server does not answer.",
  password: {
    title: "Password",
    asked: "This server asks for a password. Ask the person who started it.",
    wrong: "That password is wrong. Ask the person who started this server.",
    usable: "It has letters, digits and signs without accents.",
    goOn: "Go on",
  },
  pages: "Pages",
  lobby: "Lobby",
  toLobby: "To the lobby",
  tryAgain: "Try again",
  switchTheme: { light: "Dark colours", dark: "Light colours" },
  noTable:
    "There is no table at this address. A link may have lost its end on the way: open it once more " +
    "as it was sent to you, or ask for it again. Tables that nobody uses are deleted after a while.",
  brokenLink:
    "This invitation does not open a seat: its link is not complete, or it is one of another table. " +
    "You are watching. To play, open the link once more as it was sent to you, or ask for it again.",
  brokenLinkSeated: (seat) =>
    "This invitation does not open a seat: its link is not complete, or it is one of another table. " +
    `You still sit here as player ${seat}.`,
  lostSeat:
    "This browser’s key to the seat does not fit any more, so you are watching. Open your " +
    "invitation once more, or ask the person who opened the table for it.",
  noPage: "There is no such page",
  noPageWhy: "The address may be mistyped, or a link may have lost its end on the way.",
};
