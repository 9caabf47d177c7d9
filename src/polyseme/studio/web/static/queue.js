// The queue of answers on their way to the server. Each answer stays in localStorage until the server has saved it.
// Answers are sent one after another, in the order of the clicks. Each has an id, by which the server recognises an
// answer that arrives twice. So no answer is lost by a broken connection, a reload or a closed browser, nor counted twice.

const LONGEST_PAUSE = 30_000;
const TIMEOUT = 15_000;
const MAX_KEEPALIVE = 15_000; // characters: browsers finish small requests after the page is left, and refuse larger
const PREFIX = "polyseme-answer/";

// localStorage, or memory where the browser forbids storage or has no room left.
class AnswerStorage {
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

export const storage = new AnswerStorage();

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Queue {
  // visitor: the owner of the answers, so that no user sends another's; csrf: the token of this page;
  // onStatus: called with {state, waiting, words} after every change; onSaved: called with (entry, answer).
  constructor(visitor, csrf, onStatus, onSaved = () => {}) {
    this.prefix = `${PREFIX}${visitor}/`;
    this.csrf = csrf;
    this.onStatus = onStatus;
    this.onSaved = onSaved;
    this.pause = 0;
    this.working = false;
    this.halted = null; // why nothing can be sent until the page is reloaded
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
    const order = Math.max(Date.now(), last + 1); // after all earlier answers, even if the clock was set back
    const key = `${this.prefix}${String(order).padStart(15, "0")}-${body.request}`;
    this.refusals = [];
    storage.setItem(key, JSON.stringify({ url, body }));
    this.report(this.halted ?? "saving");
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
      // Where the browser supports locks, one tab at a time sends, so the order holds across tabs.
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
      this.report("saving");
      const outcome = await this.send(entry);
      if (outcome !== "done") return;
    }
    this.report(this.refusals.length ? "refused" : "saved", this.refusals.join(" "));
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
        keepalive: body.length < MAX_KEEPALIVE,
        signal: AbortSignal.timeout(TIMEOUT),
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
    storage.setItem(`polyseme-refused/${entry.key}`, JSON.stringify(entry)); // stored, so that a refusal can be investigated
    storage.removeItem(entry.key);
    return "done";
  }

  done(entry, answer) {
    storage.removeItem(entry.key);
    this.pause = 0;
    this.onSaved(entry, answer);
    return "done";
  }

  later(state) {
    this.report(state);
    return "later";
  }

  halt(state) {
    this.halted = state; // until the page is reloaded; the answers stay stored
    return this.later(state);
  }

  report(state, words = "") {
    if (state !== "saving") this.failing = state !== "saved";
    this.onStatus({ state, waiting: this.waiting, words });
  }
}
