// Sends what may still wait from before; the page itself needs no script.

import { Queue } from "/static/queue.js";
import { statusLine } from "/static/status.js";

const { visitor, csrf } = document.body.dataset;
const place = document.querySelector("#saved");
const line = statusLine(place);

new Queue(visitor, csrf, (news) => {
  if (news.waiting) place.hidden = false;
  line(news);
}).work();
