// What the line at the top says of answers on their way.

export function answers(count) { return count === 1 ? "1 answer waits" : `${count} answers wait`; }

const WORDS = {
  saved: () => "Saved",
  saving: () => "Saving…",
  waiting: (waiting) => `Offline: ${answers(waiting)}`,
  refused: (_, words) => `Not saved. ${words}`,
  "logged-out": (waiting) => `You are logged out: ${answers(waiting)}. `,
  paused: (waiting) => `Your work is paused: ${answers(waiting)}. `,
  stale: (waiting) => `This page is out of date: ${answers(waiting)}. `,
};

const LINKS = { "logged-out": ["/login", "Log in again"], paused: ["/", "Look again"], stale: ["", "Load it again"] };

const LOOK = { "logged-out": "waiting", paused: "waiting", stale: "waiting" };

export function statusLine(element) {
  return ({ state, waiting, words }) => {
    // Another try after a failure is no news until it succeeds.
    const shown = state === "saving" && element.dataset.state === "waiting" ? "waiting" : state;
    const said = WORDS[shown](waiting, words);
    element.dataset.state = LOOK[shown] ?? shown;
    if (element.textContent !== said) element.textContent = said;
    if (LINKS[shown]) element.append(link(...LINKS[shown]));
  };
}

function link(address, words) {
  const made = document.createElement("a");
  made.href = address || location.href;
  made.textContent = words;
  return made;
}
