// A page of questions: sends each answer when it is given, and rates by keys. It knows no task and no rule: which answers
// are allowed, and whether a page is complete, is the server's to say. All works without it, too, with the button.

import { Queue, newId, storage } from "/static/queue.js";
import { statusLine } from "/static/status.js";

const form = document.querySelector("#answers");
const next = document.querySelector("#next");
const keysOn = document.querySelector("#keys");
const questions = [...form.querySelectorAll("fieldset[data-question]")];
const wasComplete = "complete" in form.dataset;
const address = form.dataset.answer;

let goOn = false; // whether the last answer was given by a key, so that a page that is complete with it is left
let leaving = false; // whether the button was pressed, and only the saving is waited for

document.documentElement.classList.add("js");

const queue = new Queue(document.body.dataset.visitor, form.elements.csrf.value, told, saved);
const line = statusLine(document.querySelector("#saved"));

function told(news) {
  line(news);
  const stuck = leaving && !["saving", "saved"].includes(news.state);
  next.textContent = stuck ? "Waiting for the connection …" : next.dataset.words;
  if (news.state === "refused" || queue.halted) leaving = goOn = false;
  if (news.state === "saved" && leaving) leave();
}

function saved(entry, answer) {
  if (entry.url !== address) return;
  for (const question of questions) {
    if (!answer.unanswered.includes(question.dataset.question)) question.classList.remove("missing");
  }
  if (goOn && answer.complete && !wasComplete && !leaving && queue.waiting === 0) location.assign(answer.next);
}

// ---- Time: what passes while the page is seen, since it was opened or since the answer before.

let since = performance.now();
let unseen = 0;
let hiddenAt = document.hidden ? since : null;

document.addEventListener("visibilitychange", () => {
  if (document.hidden) hiddenAt = performance.now();
  else if (hiddenAt !== null) {
    unseen += performance.now() - hiddenAt;
    hiddenAt = null;
  }
});

function elapsed() {
  const now = performance.now();
  const passed = Math.max(0, Math.round(now - since - unseen));
  [since, unseen] = [now, 0];
  return passed;
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
  makeRoom(question, event.target);
  send(question);
});

// In one question a box can stand for "none of these": then what is written beside it goes, and the other way round.
function makeRoom(question, changed) {
  const nothing = question.querySelector("[data-nothing]");
  if (!nothing) return;
  const written = [...question.querySelectorAll("input[type=text]")];
  if (changed === nothing && nothing.checked) for (const control of written) control.value = "";
  else if (written.some((control) => control.value.trim())) nothing.checked = false;
}

function sendWritten() {
  for (const question of form.querySelectorAll("[data-question]")) {
    if (question.querySelector("input[type=text], textarea, select")) send(question);
  }
}

// ---- Leaving the page

form.addEventListener("submit", (event) => {
  event.preventDefault();
  sendWritten();
  leaving = true;
  if (queue.waiting === 0) leave();
  else queue.hurry();
});

function leave() {
  leaving = true;
  removeEventListener("beforeunload", warn);
  form.submit(); // the server says where to go, or what is missing
}

// Only where answers cannot be sent: those that are just on their way arrive though the page is left.
function warn(event) {
  if (queue.waiting && queue.failing) event.preventDefault();
}
addEventListener("beforeunload", warn);
addEventListener("pagehide", sendWritten);
addEventListener("pageshow", (event) => event.persisted && location.reload());

// ---- Keys

let current = questions.find((question) => !answered(question)) ?? questions[0];

function answered(question) {
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

function moveOn() {
  const following = questions[questions.indexOf(current) + 1];
  const place = following?.querySelector("input:checked") ?? following?.querySelector("input") ?? next;
  place.focus({ preventScroll: true });
  (following ?? place).scrollIntoView({ block: following ? "center" : "nearest" });
}

function written(element) {
  return element.matches("textarea, select, input[type=text]");
}

function rate(input) {
  const several = input.type === "checkbox";
  goOn = !several;
  input.checked = several ? !input.checked : true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  if (several) input.focus();
  else moveOn();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat) return;
  if (written(event.target) || (keysOn && !keysOn.checked)) return;
  const key = CSS.escape(event.key.toLowerCase());
  const input = current?.querySelector(`input[data-key="${key}"]`);
  const link = document.querySelector(`a[data-key="${key}"]`);
  if (input) rate(input);
  else if (link) link.click();
  else if (event.key === "Enter" && event.target === document.body) form.requestSubmit();
  else return;
  event.preventDefault();
});

document.addEventListener("pointerdown", () => { goOn = false; });

// ---- What this browser remembers: whether keys rate, and whether the instructions are open

if (keysOn) {
  keysOn.checked = storage.getItem("polyseme-keys") !== "off";
  keysOn.addEventListener("change", () => storage.setItem("polyseme-keys", keysOn.checked ? "on" : "off"));
}

for (const details of document.querySelectorAll("details[data-remember]")) {
  const name = `polyseme-${details.dataset.remember}`;
  const kept = storage.getItem(name);
  if (kept) details.open = kept === "open";
  details.addEventListener("toggle", () => storage.setItem(name, details.open ? "open" : "closed"));
}

// ---- Begin: answers that wait since before are shown as given, and sent

next.dataset.words = next.textContent;
for (const entry of queue.entries()) if (entry.url === address) restore(entry.body.fields);
for (const question of form.querySelectorAll("[data-question]")) lastSent.set(question, fieldsOf(question));
if (questions.length > 1) mark(questions.find((question) => !answered(question)) ?? questions[0]);
document.querySelector("[autofocus]")?.focus();
queue.work();
