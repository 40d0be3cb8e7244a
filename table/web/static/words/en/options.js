// Words of the options of each game's rules, by the names that records give them.

export default {
  tuscany: {
    presets: { rulebook: "Rulebook", online: "Online edition" },
    draw_base: {
      name: "Cards drawn",
      about: "How many region cards the action draws.",
      values: { 2: "2 cards", 3: "3 cards" },
    },
    round_end: {
      name: "End of rounds 1 and 2",
      about: "When a round ends after a stack was emptied; in a lap, each player has one turn.",
      values: { turn: "after that turn", lap: "after that lap" },
    },
    final_turns: {
      name: "Last turns",
      about: "After a third stack is empty: one turn each, or first the rest of the lap.",
      values: { one_each: "one turn each", lap_then_one: "lap, then one each" },
    },
    colour_bonus: {
      name: "Completed colours",
      about: "What the first and second player get who complete a colour.",
      values: { literal: "1 point, then 2", ranked: "edition’s numbers" },
    },
    bonus_gains: {
      name: "+1 marble and +1 worker",
      about: "These bonus tiles add to what yield cards bring, too, or to quarries and villages only.",
      values: { every: "every gain", tiles: "gains of tiles" },
    },
    storage_points: {
      name: "Points for +1 storage",
      about: "When such a bonus tile brings 2 green points.",
      values: { always: "always", setup: "only at the start" },
    },
    hexagon_same_turn: {
      name: "New wooden hexagons",
      about: "Whether one may be placed in the turn in which it was won.",
      values: { true: "yes", false: "no" },
    },
    max_laps: { name: "Most laps", about: "Laps after which a game is cut off, 1 to 200.", values: {} },
  },
};
