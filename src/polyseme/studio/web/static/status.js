// The status line: whether answers are saved, being sent, or waiting.

function countAnswers(count) { return count === 1 ? "1 answer" : `${count} answers`; }

const MESSAGES = {
  saved: () => "Saved",
  saving: () => "Saving…",
  waiting: (waiting) => `Offline: ${countAnswers(waiting)} will be sent later`,
  refused: (_, words) => `Not saved: ${words}`,
  "logged-out": (waiting) => `You are logged out. Not sent yet: ${countAnswers(waiting)}. `,
  paused: (waiting) => `Your work is paused. Not sent yet: ${countAnswers(waiting)}. `,
  stale: (waiting) => `This page is out of date. Not sent yet: ${countAnswers(waiting)}. `,
};

const LINKS = { "logged-out": ["/login", "Log in again"], paused: ["/", "Try again"], stale: ["", "Reload the page"] };

const STYLES = { "logged-out": "waiting", paused: "waiting", stale: "waiting" };

export function statusLine(element) {
  return ({ state, waiting, words }) => {
    // A retry is displayed only when it succeeds.
    const displayed = state === "saving" && element.dataset.state === "waiting" ? "waiting" : state;
    const message = MESSAGES[displayed](waiting, words);
    element.dataset.state = STYLES[displayed] ?? displayed;
    if (element.textContent !== message) element.textContent = message;
    if (LINKS[displayed]) element.append(createLink(...LINKS[displayed]));
  };
}

function createLink(address, words) {
  const link = document.createElement("a");
  link.href = address || location.href;
  link.textContent = words;
  return link;
}
