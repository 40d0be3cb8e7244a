// A document that holds elements and draws nothing, for pages' scripts without a browser.

class FakeElement {
  constructor(tag) {
    this.tagName = tag;
    this.children = [];
    this.attributes = {};
    this.listeners = {};
    this.dataset = {};
    this.style = { setProperty() {} };
    const names = new Set();
    this.classList = {
      add: (name) => names.add(name),
      contains: (name) => names.has(name),
      toggle: (name, on = !names.has(name)) => (on ? names.add(name) : names.delete(name)),
    };
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  get textContent() {
    return this.children.map((child) => child.textContent ?? String(child)).join("");
  }

  set textContent(text) {
    this.children = [text];
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  addEventListener(kind, act) {
    this.listeners[kind] = act;
  }

  matches() {
    return false;
  }

  /** Clicks a button, or chooses what an input stands for. */
  click() {
    this.checked = this.attributes.type === "checkbox" ? !this.checked : true;
    this.listeners.click?.({ preventDefault() {} });
    this.listeners.change?.();
  }
}

/** Puts the document in place until the end of a test. */
export function withDocument(context) {
  const byId = new Map();
  const kept = new Map();
  const fakes = {
    document: {
      createElement: (tag) => new FakeElement(tag),
      createElementNS: (_, tag) => new FakeElement(tag),
      getElementById: (id) => byId.get(id) ?? byId.set(id, new FakeElement(id)).get(id),
    },
    localStorage: { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) },
  };
  Object.assign(globalThis, fakes);
  context.mock.method(globalThis, "setTimeout", () => 0); // nobody listens to what is announced
  context.after(() => Object.keys(fakes).forEach((name) => delete globalThis[name]));
}

/** Returns a new element. */
export const element = (tag = "div") => new FakeElement(tag);
