import assert from "node:assert/strict";
import test from "node:test";

import * as storage from "#static/common/storage.js";

class Kept {
  getItem(key) {
    return this[key] ?? null;
  }

  setItem(key, value) {
    this[key] = value;
  }

  removeItem(key) {
    delete this[key];
  }
}

test.beforeEach(() => {
  storage.local.memory.clear();
  Object.assign(globalThis, {
    localStorage: new Kept(),
    sessionStorage: new Kept(),
    location: { hash: "", pathname: "/table/t1", origin: "http://here" },
    history: { replaceState: (_state, _title, path) => (globalThis.location.hash = path) },
  });
});

test("tables are kept, the one used last first, with the tokens of before", () => {
  storage.keepTable("t1", { tokens: { 0: "a" }, title: "one" });
  storage.keepTable("t2", { tokens: { 1: "b" } });
  storage.keepTable("t1", { tokens: { 2: "c" }, over: true });
  assert.deepEqual(storage.tables().map(({ id }) => id), ["t1", "t2"]);
  assert.deepEqual(storage.tableOf("t1").tokens, { 0: "a", 2: "c" });
  assert.equal(storage.tableOf("t1").title, "one");
  storage.forgetTable("t1");
  assert.equal(storage.tableOf("t1"), undefined);
});

test("no more than fifty tables are kept", () => {
  for (let i = 0; i < 60; i += 1) storage.keepTable(`t${i}`, {});
  assert.equal(storage.tables().length, 50);
  assert.equal(storage.tables()[0].id, "t59");
});

test("settings have a default, also where the storage is damaged", () => {
  assert.equal(storage.setting("speed", "normal"), "normal");
  storage.keepSetting("speed", "slow");
  storage.keepSetting("coach", false);
  assert.equal(storage.setting("speed", "normal"), "slow");
  assert.equal(storage.setting("coach", true), false);
  globalThis.localStorage.setItem("gonzaga.settings", "{");
  assert.equal(storage.setting("speed", "normal"), "normal");
});

const follow = (link) => {
  globalThis.location.hash = new URL(link).hash;
};

test("a link gives a seat once the server has accepted it; its token leaves the address", () => {
  assert.equal(storage.takeLink("t1"), null);
  assert.equal(storage.seatOf("t1"), null);
  const link = storage.invitation("t1", 2, "secret");
  assert.equal(link, "http://here/table/t1#seat=2&token=secret");
  follow(link);
  assert.equal(storage.takeLink("t1"), "secret");
  assert.equal(globalThis.location.hash, "/table/t1");
  assert.equal(storage.tableOf("t1"), undefined); // nothing is kept of it yet
  assert.equal(storage.takeLink("t1"), "secret"); // after a reload, while the server is away
  storage.closeLink("t1", 2);
  assert.equal(storage.takeLink("t1"), null);
  assert.equal(storage.tableOf("t1").tokens[2], "secret");
  assert.equal(storage.seatOf("t1"), 2);
});

test("a refused link leaves the seat and its token as they were", () => {
  follow(storage.invitation("t1", 0, "mine"));
  storage.takeLink("t1");
  storage.closeLink("t1", 0);
  for (const hash of ["#seat=0&token=mi", "#seat=0&token=", "#seat=0&tok"]) {
    globalThis.location.hash = hash;
    assert.notEqual(storage.takeLink("t1"), null);
    storage.closeLink("t1");
    assert.equal(storage.tableOf("t1").tokens[0], "mine");
    assert.equal(storage.seatOf("t1"), 0);
    assert.equal(globalThis.location.hash, "/table/t1");
  }
});

test("what a mail has put behind a link is cut off", () => {
  globalThis.location.hash = "#seat=1&token=ab-c_1).";
  assert.equal(storage.takeLink("t1"), "ab-c_1");
});

const refuse = () => {
  throw new Error("denied");
};

test("where the browser stores nothing, the page goes on in memory, and the address has the seat", async () => {
  const denied = { getItem: refuse, setItem: refuse, removeItem: refuse };
  const assigned = [];
  const { location } = globalThis;
  Object.assign(globalThis, { localStorage: denied, sessionStorage: denied });
  Object.assign(location, { assign: (to) => assigned.push(to) });
  assert.equal(storage.stores(), false);
  storage.keepSetting("speed", "slow");
  assert.equal(storage.setting("speed", "normal"), "slow");
  storage.keepTable("t9", { tokens: { 1: "mine" }, mine: 1 });
  assert.equal(storage.tableOf("t9").tokens[1], "mine");
  storage.goToTable("t9");
  assert.deepEqual(assigned, ["http://here/table/t9#seat=1&token=mine"]);
  location.hash = "#seat=1&token=mine";
  assert.equal(storage.takeLink("t9"), "mine");
  assert.equal(location.hash, "#seat=1&token=mine"); // a reload needs it
  storage.closeLink("t9", 1);
  assert.equal(storage.seatOf("t9"), 1);
  storage.forgetTable("t9");
  storage.sitAt("t9", 0);
});

test("a full storage keeps what it has, and the address has the seat of a new table", () => {
  const assigned = [];
  globalThis.localStorage.setItem("gonzaga.settings", '{"speed": "slow"}');
  globalThis.localStorage.setItem = refuse;
  Object.assign(globalThis.location, { assign: (to) => assigned.push(to) });
  assert.equal(storage.stores(), false);
  storage.keepTable("t8", { tokens: { 0: "a" }, mine: 0 });
  storage.goToTable("t8");
  assert.deepEqual(assigned, ["http://here/table/t8#seat=0&token=a"]);
  storage.forgetTable("t8");
});

test("damaged tables are ignored, and the others stay", () => {
  const right = { id: "t1", tokens: { 0: "a" }, mine: 0, invited: [] };
  const wrong = [null, 7, "t2", {}, { ...right, id: 3 }, { ...right, names: "Ann" }, { ...right, stage: {} }];
  for (const text of ["{", "7", "null", '"x"', "{}", JSON.stringify([...wrong, right])]) {
    globalThis.localStorage.setItem("gonzaga.tables", text);
    assert.deepEqual(storage.tables(), text.length > 10 ? [right] : [], text);
  }
});
