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
  stages: { planning: "planning", placing: "placing" },
};
