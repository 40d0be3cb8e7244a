import assert from "node:assert/strict";
import test from "node:test";

import { Draft, drafts } from "#static/editor/drafts.js";

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

/** Channels of this page's tabs, which hear each other at once. */
class Channel {
  static all = [];

  constructor() {
    this.hear = [];
    Channel.all.push(this);
  }

  addEventListener(_, listener) {
    this.hear.push(listener);
  }

  postMessage(data) {
    for (const other of Channel.all) {
      if (other !== this) other.hear.forEach((listener) => listener({ data }));
    }
  }
}

/** Opens a tab; a draft is that of the tab's own storage. */
async function tab(own = new Kept()) {
  globalThis.sessionStorage = own;
  const draft = new Draft();
  const model = await draft.begin();
  return { draft, model, own };
}

test.beforeEach(() => {
  Channel.all = [];
  Object.assign(globalThis, { localStorage: new Kept(), BroadcastChannel: Channel });
});

test("two tabs edit drafts of their own", async () => {
  const first = await tab();
  assert.equal(first.model, null);
  first.draft.keep({ name: "a" });
  const second = await tab();
  assert.deepEqual(second.model, { name: "a" }); // a copy, as the first tab is open
  second.draft.keep({ name: "b" });
  first.draft.keep({ name: "a2" });
  assert.deepEqual(drafts().map(({ model }) => model.name).sort(), ["a2", "b"]);
});

test("a tab has its draft after a reload, and a new one takes over what no tab has open", async () => {
  const first = await tab();
  first.draft.keep({ name: "a" });
  Channel.all = [];
  const again = await tab(first.own);
  assert.equal(again.draft.id, first.draft.id);
  Channel.all = [];
  const other = await tab();
  assert.equal(other.draft.id, first.draft.id);
  other.draft.renew();
  other.draft.keep({ name: "another map" });
  assert.equal(drafts().length, 2);
});

test("the draft of 0.9 is found, and drafts have a limit", async () => {
  globalThis.localStorage.setItem("gonzaga-editor", '{"name": "old"}');
  const { draft, model } = await tab();
  assert.deepEqual(model, { name: "old" });
  for (let i = 0; i < 12; i += 1) {
    draft.renew();
    draft.keep({ name: `map ${i}` });
  }
  assert.equal(drafts().length, 8);
  assert.ok(!drafts().some(({ model: { name } }) => name === "old"));
});
