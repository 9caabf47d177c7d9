// A page of questions: sends every answer at once, and rates by keys. The server alone decides which answers are allowed
// and when a page is complete. Without this script the form and its button work as well.

import { Queue, newId, storage } from "/static/queue.js";
import { statusLine } from "/static/status.js";

const form = document.querySelector("#answers");
const next = document.querySelector("#next");
const keysOn = document.querySelector("#keys");
const questions = [...form.querySelectorAll("fieldset[data-question]")];
const wasComplete = "complete" in form.dataset;
const address = form.dataset.answer;

let advance = false; // whether a key gave the last answer: a page that it completes is then left
let leaving = false; // whether the button was pressed, and the page waits only for saving

document.documentElement.classList.add("js");

const queue = new Queue(document.body.dataset.visitor, form.elements.csrf.value, onStatus, onSaved);
const line = statusLine(document.querySelector("#saved"));

function onStatus(status) {
  line(status);
  const stuck = leaving && !["saving", "saved"].includes(status.state);
  next.textContent = stuck ? "Waiting for a connection …" : next.dataset.words;
  if (status.state === "refused" || queue.halted) leaving = advance = false;
  if (status.state === "saved" && leaving) leave();
}

function onSaved(entry, answer) {
  if (entry.url !== address) return;
  for (const question of questions) {
    if (!answer.unanswered.includes(question.dataset.question)) question.classList.remove("missing");
  }
  if (advance && answer.complete && !wasComplete && !leaving && queue.waiting === 0) location.assign(answer.next);
}

// ---- Time: how long the page is visible, since it was opened or since the previous answer

let since = performance.now();
let hidden = 0;
let hiddenAt = document.hidden ? since : null;

document.addEventListener("visibilitychange", () => {
  if (document.hidden) hiddenAt = performance.now();
  else if (hiddenAt !== null) {
    hidden += performance.now() - hiddenAt;
    hiddenAt = null;
  }
});

function elapsed() {
  const now = performance.now();
  const milliseconds = Math.max(0, Math.round(now - since - hidden));
  [since, hidden] = [now, 0];
  return milliseconds;
}

// ---- Answers

function fieldsOf(question) {
  const fields = {};
  for (const control of question.querySelectorAll("[name]")) {
    const list = (fields[control.name] ??= []);
    if (!["radio", "checkbox"].includes(control.type) || control.checked) list.push(control.value);
  }
  return fields;
}

const lastSent = new Map();

function send(question) {
  const fields = fieldsOf(question);
  const before = lastSent.get(question);
  if (JSON.stringify(before) === JSON.stringify(fields)) return;
  lastSent.set(question, fields);
  const client_time = new Date().toISOString();
  queue.add(address, { fields, before, request: newId(), milliseconds: elapsed(), client_time });
}

function restore(fields) {
  for (const [name, values] of Object.entries(fields)) {
    const left = [...values];
    for (const control of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (["radio", "checkbox"].includes(control.type)) control.checked = values.includes(control.value);
      else control.value = left.shift() ?? "";
    }
  }
}

form.addEventListener("change", (event) => {
  const question = event.target.closest("[data-question]");
  if (!question) return;
  clearContradiction(question, event.target);
  send(question);
});

// A box that means "none" clears the text fields of its question, and text clears the box.
function clearContradiction(question, changed) {
  const nothing = question.querySelector("[data-nothing]");
  if (!nothing) return;
  const texts = [...question.querySelectorAll("input[type=text]")];
  if (changed === nothing && nothing.checked) for (const control of texts) control.value = "";
  else if (texts.some((control) => control.value.trim())) nothing.checked = false;
}

function sendTexts() {
  for (const question of form.querySelectorAll("[data-question]")) {
    if (question.querySelector("input[type=text], textarea, select")) send(question);
  }
}

// ---- Leaving the page

form.addEventListener("submit", (event) => {
  event.preventDefault();
  sendTexts();
  leaving = true;
  if (queue.waiting === 0) leave();
  else queue.hurry();
});

function leave() {
  leaving = true;
  removeEventListener("beforeunload", warn);
  form.submit(); // the server answers where to continue, or what is missing
}

// Warn only if answers cannot be sent: those on their way arrive even if the page is left.
function warn(event) {
  if (queue.waiting && queue.failing) event.preventDefault();
}
addEventListener("beforeunload", warn);
addEventListener("pagehide", sendTexts);
addEventListener("pageshow", (event) => event.persisted && location.reload());

// ---- Keys

let current = questions.find((question) => !isAnswered(question)) ?? questions[0];

function isAnswered(question) {
  const controls = [...question.querySelectorAll("[name]")];
  return controls.some((control) => (control.type === "text" ? control.value : control.checked));
}

function mark(question) {
  current?.classList.remove("current");
  current = question;
  if (questions.length > 1) current?.classList.add("current");
}

form.addEventListener("focusin", (event) => {
  const question = event.target.closest("fieldset[data-question]");
  if (question) mark(question);
});

function focusNext() {
  const following = questions[questions.indexOf(current) + 1];
  const target = following?.querySelector("input:checked") ?? following?.querySelector("input") ?? next;
  target.focus({ preventScroll: true });
  (following ?? target).scrollIntoView({ block: following ? "center" : "nearest" });
}

function isTextField(element) {
  return element.matches("textarea, select, input[type=text]");
}

function rate(input) {
  const several = input.type === "checkbox";
  advance = !several;
  input.checked = several ? !input.checked : true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  if (several) input.focus();
  else focusNext();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat) return;
  if (isTextField(event.target) || (keysOn && !keysOn.checked)) return;
  const key = CSS.escape(event.key.toLowerCase());
  const input = current?.querySelector(`input[data-key="${key}"]`);
  const link = document.querySelector(`a[data-key="${key}"]`);
  if (input) rate(input);
  else if (link) link.click();
  else if (event.key === "Enter" && event.target === document.body) form.requestSubmit();
  else return;
  event.preventDefault();
});

document.addEventListener("pointerdown", () => { advance = false; });

// ---- Settings of this browser: whether keys rate, and whether the instructions are open

if (keysOn) {
  keysOn.checked = storage.getItem("polyseme-keys") !== "off";
  keysOn.addEventListener("change", () => storage.setItem("polyseme-keys", keysOn.checked ? "on" : "off"));
}

for (const details of document.querySelectorAll("details[data-remember]")) {
  const name = `polyseme-${details.dataset.remember}`;
  const state = storage.getItem(name);
  if (state) details.open = state === "open";
  details.addEventListener("toggle", () => storage.setItem(name, details.open ? "open" : "closed"));
}

// ---- Start: restore and send the answers that still wait

next.dataset.words = next.textContent;
for (const entry of queue.entries()) if (entry.url === address) restore(entry.body.fields);
for (const question of form.querySelectorAll("[data-question]")) lastSent.set(question, fieldsOf(question));
if (questions.length > 1) mark(questions.find((question) => !isAnswered(question)) ?? questions[0]);
document.querySelector("[autofocus]")?.focus();
queue.work();
