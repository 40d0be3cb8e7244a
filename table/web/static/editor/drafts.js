// The maps that this browser keeps, a draft for each tab that edits one.

const KEY = "gonzaga-editor"; // of the only draft of versions to 0.9
const PREFIX = `${KEY}.draft.`;
const MINE = `${KEY}.draft`; // in this tab's own storage
const MOST = 8;
const ANSWER = 150; // milliseconds in which another tab says that it has a draft

const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Returns the drafts `{id, saved, model}`, the one saved last first. */
export function drafts() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  const found = keys.map((key) => ({ id: key.slice(PREFIX.length), ...parse(localStorage.getItem(key)) }));
  const old = parse(localStorage.getItem(KEY));
  if (old) found.push({ id: "", saved: 0, model: old });
  return found.filter(({ model }) => model).sort((one, other) => other.saved - one.saved);
}

/** The draft of this tab. */
export class Draft {
  constructor() {
    this.id = sessionStorage.getItem(MINE);
    this.channel = new BroadcastChannel(KEY);
    this.channel.addEventListener("message", ({ data }) => {
      if (data.asks === this.id) this.channel.postMessage({ has: this.id });
    });
  }

  /**
   * Returns the model that this tab begins with: its own after a reload, else the one saved last; null
   * if there is none. A draft that another tab has open is copied.
   */
  async begin() {
    const kept = drafts();
    const own = kept.find(({ id }) => id === this.id) ?? kept[0];
    if (own === undefined || (await this.isOpen(own.id))) this.take(newId());
    else this.take(own.id);
    return own?.model ?? null;
  }

  /** Returns whether another tab has a draft open. A tab that was duplicated has the same id. */
  isOpen(id) {
    return new Promise((resolve) => {
      const hear = ({ data }) => data.has === id && resolve(true);
      this.id = null; // this tab does not answer itself
      this.channel.addEventListener("message", hear);
      this.channel.postMessage({ asks: id });
      setTimeout(() => resolve(false), ANSWER);
    });
  }

  take(id) {
    this.id = id || newId();
    sessionStorage.setItem(MINE, this.id);
  }

  /** Begins another draft, so that the one before stays. */
  renew() {
    this.take(newId());
  }

  /** Keeps a model; the oldest drafts make room. Throws if the storage is full or switched off. */
  keep(model) {
    const text = JSON.stringify({ saved: Date.now(), model });
    const others = drafts().filter(({ id }) => id !== this.id);
    for (const { id } of others.slice(MOST - 1)) forget(id);
    for (;;) {
      try {
        localStorage.setItem(PREFIX + this.id, text);
        return;
      } catch (error) {
        const oldest = others.pop();
        if (!oldest) throw error;
        forget(oldest.id);
      }
    }
  }
}

const forget = (id) => localStorage.removeItem(id ? PREFIX + id : KEY);

const newId = () => crypto.getRandomValues(new Uint32Array(2)).join("-");
