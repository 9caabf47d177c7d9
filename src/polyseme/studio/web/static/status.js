// The status line: whether answers are saved, being sent, or waiting.

export function countAnswers(count) { return count === 1 ? "1 answer is waiting" : `${count} answers are waiting`; }

const MESSAGES = {
  saved: () => "Saved",
  saving: () => "Saving…",
  waiting: (waiting) => `Offline: ${countAnswers(waiting)}`,
  refused: (_, words) => `Not saved. ${words}`,
  "logged-out": (waiting) => `You are logged out: ${countAnswers(waiting)}. `,
  paused: (waiting) => `Your work is paused: ${countAnswers(waiting)}. `,
  stale: (waiting) => `This page is out of date: ${countAnswers(waiting)}. `,
};

const LINKS = { "logged-out": ["/login", "Log in again"], paused: ["/", "Check again"], stale: ["", "Reload"] };

const STYLES = { "logged-out": "waiting", paused: "waiting", stale: "waiting" };

export function statusLine(element) {
  return ({ state, waiting, words }) => {
    // A retry after a failure is reported only when it succeeds.
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
