// Answers on their way to the server. Each lies in localStorage until the server has said that it is saved; they are sent
// one after another, in the order of the clicks, and each carries the id under which the server knows it if it comes
// twice. So none is lost by a broken connection, a reload or a closed browser, and none is counted double.

const LONGEST_PAUSE = 30_000;
const PATIENCE = 15_000;
const MOST_KEPT_ALIVE = 15_000; // characters: browsers finish small requests after the page is left, and refuse larger
const OURS = "polyseme-answer/";

// Where the browser forbids storage, or has no room left, things are kept in memory: better than not at all.
class Kept {
  #memory = new Map();

  setItem(key, value) {
    if (!attempt(() => { localStorage.setItem(key, value); return true; })) this.#memory.set(key, value);
  }

  getItem(key) { return this.#memory.get(key) ?? attempt(() => localStorage.getItem(key)) ?? null; }

  removeItem(key) {
    this.#memory.delete(key);
    attempt(() => localStorage.removeItem(key));
  }

  keys() { return [...this.#memory.keys(), ...(attempt(() => Object.keys(localStorage)) ?? [])]; }
}

function attempt(action) {
  try {
    return action();
  } catch {
    return null;
  }
}

export const storage = new Kept();

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Queue {
  // visitor: whose answers these are, so that nobody sends another's; csrf: the token of this page;
  // told: called with {state, waiting, words} whenever something changes; saved: called with (entry, answer).
  constructor(visitor, csrf, told, saved = () => {}) {
    this.prefix = `${OURS}${visitor}/`;
    this.csrf = csrf;
    this.told = told;
    this.saved = saved;
    this.pause = 0;
    this.working = false;
    this.halted = null; // why nothing can be sent until the page is loaded again
    this.failing = false;
    this.refusals = [];
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  keys() { return storage.keys().filter((key) => key.startsWith(this.prefix)).sort(); }

  entries() {
    const read = this.keys().map((key) => ({ key, ...attempt(() => JSON.parse(storage.getItem(key))) }));
    return read.filter((entry) => entry.body);
  }

  get waiting() { return this.entries().length; }

  add(url, body) {
    const last = Number(this.keys().at(-1)?.slice(this.prefix.length, this.prefix.length + 15) ?? 0);
    const place = Math.max(Date.now(), last + 1); // later than all before it, even if the clock was set back
    const key = `${this.prefix}${String(place).padStart(15, "0")}-${body.request}`;
    this.refusals = [];
    storage.setItem(key, JSON.stringify({ url, body }));
    this.tell(this.halted ?? "saving");
    this.hurry();
  }

  hurry() {
    this.pause = 0;
    clearTimeout(this.timer);
    this.work();
  }

  async work() {
    if (this.working || this.halted) return;
    this.working = true;
    try {
      // One tab at a time sends, where the browser can see to it: so the order is kept across tabs.
      if (navigator.locks) await navigator.locks.request(this.prefix, () => this.sendAll());
      else await this.sendAll();
    } finally {
      this.working = false;
    }
    if (this.waiting && !this.halted) {
      this.pause = Math.min(LONGEST_PAUSE, this.pause * 2 || 1000);
      this.timer = setTimeout(() => this.work(), this.pause);
    }
  }

  async sendAll() {
    for (let entry = this.entries()[0]; entry; entry = this.entries()[0]) {
      this.tell("saving");
      const outcome = await this.send(entry);
      if (outcome !== "done") return;
    }
    this.tell(this.refusals.length ? "refused" : "saved", this.refusals.join(" "));
  }

  async send(entry) {
    const body = JSON.stringify(entry.body);
    let response, answer;
    try {
      response = await fetch(entry.url, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRF-Token": this.csrf },
        body,
        credentials: "same-origin",
        keepalive: body.length < MOST_KEPT_ALIVE,
        signal: AbortSignal.timeout(PATIENCE),
      });
      answer = await response.json();
    } catch {
      return this.later("waiting");
    }
    if (response.ok) return this.done(entry, answer);
    if (response.status === 401) return this.halt("logged-out");
    if (response.status === 403) return this.halt("stale");
    if (response.status === 423) return this.halt("paused");
    if (response.status === 408 || response.status === 429 || response.status >= 500) return this.later("waiting");
    this.refusals.push(answer.said ?? "");
    storage.setItem(`polyseme-refused/${entry.key}`, JSON.stringify(entry)); // kept for whoever wants to know why
    storage.removeItem(entry.key);
    return "done";
  }

  done(entry, answer) {
    storage.removeItem(entry.key);
    this.pause = 0;
    this.saved(entry, answer);
    return "done";
  }

  later(state) {
    this.tell(state);
    return "later";
  }

  halt(state) {
    this.halted = state; // until the page is loaded again; the answers stay in their place
    return this.later(state);
  }

  tell(state, words = "") {
    if (state !== "saving") this.failing = state !== "saved";
    this.told({ state, waiting: this.waiting, words });
  }
}
