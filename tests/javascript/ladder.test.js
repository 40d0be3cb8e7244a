import assert from "node:assert/strict";
import test from "node:test";

globalThis.localStorage = { getItem: () => null };
const { grid, spread } = await import("#static/ladder/curve.js");
const { resultWords } = await import("#static/ladder/games.js");
const { agentWords } = await import("#static/common/levels.js");

test("results are told in words", () => {
  const game = { outcome: "played", seat: 1, num_players: 3 };
  const told = (places, more = {}) => resultWords({ ...game, places, ...more });
  assert.equal(told([1, 0, 2]), "won");
  assert.equal(told([0, 0, 1]), "shared the victory");
  assert.equal(told([0, 1, 2]), "2nd of 3");
  assert.equal(told([0, 1, 0]), "3rd of 3");
  assert.equal(told(null, { outcome: "resigned" }), "lost (resigned)");
  assert.equal(told(null, { outcome: "abandoned" }), "lost (not played to the end)");
  assert.equal(told(null, { outcome: "conceded" }), "won (the other gave up)");
  for (const outcome of ["failed", "replaced", "left", "address"]) assert.match(told(null, { outcome }), /^does not count/);
  assert.equal(told(null, { outcome: null }), "goes on");
});

test("agents have their strength in words", () => {
  const planner = { agent: "planner", level: "club", rating: 1285, low: 1250 };
  assert.equal(agentWords(planner), "Club player · planner · 1285");
  assert.equal(agentWords({ agent: "random", level: "novice", rating: 133, low: null }), "Novice · random · ≤ 133");
  assert.equal(agentWords({ agent: "mine:Own", level: null, rating: null, low: null }), "mine:Own · unrated");
});

test("a curve has few lines at round ratings, and labels apart", () => {
  assert.deepEqual(grid(812, 1140), [900, 1000, 1100]);
  assert.deepEqual(grid(-455, 1020), [0, 500, 1000]);
  assert.ok(grid(-900, 4000).length <= 5);
  const marks = spread([{ at: 50, to: 50 }, { at: 40, to: 40 }, { at: 52, to: 52 }]);
  assert.deepEqual(marks.map(({ to }) => to), [40, 54, 68]);
});
