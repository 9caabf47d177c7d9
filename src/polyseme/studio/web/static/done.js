// Sends answers that still wait in this browser; the page itself needs no script.

import { Queue } from "/static/queue.js";
import { statusLine } from "/static/status.js";

const { visitor, csrf } = document.body.dataset;
const element = document.querySelector("#saved");
const line = statusLine(element);

new Queue(visitor, csrf, (status) => {
  if (status.waiting) element.hidden = false;
  line(status);
}).work();
