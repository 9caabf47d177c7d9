// The order of the results of a search: guides before reference pages, titles before text, and modules last. What has exactly
// the name in the query, such as a function, keeps its score.
var Scorer = {
  score: ([page, title, , , score]) => {
    const query = (new URLSearchParams(window.location.search).get("q") || "").toLowerCase();
    const name = title.toLowerCase();
    if (page.startsWith("reference/modules/")) return name.split(".").at(-1) === query ? score : score - 30;
    return score + (name.includes(query) ? 10 : 0) + (/^(tutorials|how-to|explanation)\//.test(page) ? 5 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
