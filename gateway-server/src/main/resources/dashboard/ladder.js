// The overload of each upstream as a ladder: the rungs from the top to the bottom, with the current rung and its reason.

import { html, nothing } from "./lib/lit-html.js";
import { count, left, many } from "./format.js";
import { state } from "./parts.js";

const KINDS = { normal: "good", limit: "warn", shed: "warn", brownout: "bad", stale: "bad", page: "bad" };

const MEANINGS = {
  normal: "no request is refused",
  limit: "rate limits refuse requests",
  shed: "low priorities are shed",
  brownout: "a brown-out is signaled to filters",
  stale: "low priorities get stale responses",
  page: "shed requests get the fixed page",
};

const rung = current => ({ rung: name, reached }) => html`<li class=${name === current ? "now" : nothing} aria-current=${name === current ? "true" : nothing}>
  ${state(name === current ? KINDS[name] ?? "off" : "none", name)}
  <small>${MEANINGS[name] ?? ""}${name === "normal" ? "" : `, reached ${many(reached, "time")}`}</small></li>`;

const ladder = ({ upstream, rung: current, seconds, reason, rungs, shed, limited }) => html`<section class="ladder" aria-label=${`Ladder of ${upstream}`}>
  <h3>${upstream}</h3>
  <p>${state(KINDS[current] ?? "off", current)} ${reason ?? ""}${seconds === undefined ? "" : html` <small>for ${left(seconds * 1000)}</small>`}</p>
  <ol>${[...rungs].reverse().map(rung(current))}</ol>
  <p><small>${count(shed)} shed, ${count(limited)} refused by rate limits</small></p>
</section>`;

/** The ladders of all upstreams. @param ladders the list of the page `overload` */
export const ladders = list => (list.length === 0 ? nothing
  : html`<h2>Overload, since the start</h2><div class="ladders">${list.map(ladder)}</div>`);
