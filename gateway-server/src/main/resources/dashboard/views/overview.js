// The first view: every problem with a link to the place that shows it, or that there is none, and the figures that matter most.

import { html, nothing } from "../lib/lit-html.js";
import { count, many, millis, NONE, rate, since } from "../format.js";
import { errors, lag, requestOf, routeName } from "../marks.js";
import { card, folded, missing, sparkline, state, table } from "../parts.js";
import { link } from "../place.js";
import { beginning } from "../problems.js";
import { banner } from "../rehearsal.js";

const SEVERITIES = { bad: "severe", warn: "warning" };
const FAILED = "exchanges?reason=failed&limit=5";
const SLOW = "exchanges?reason=slow&limit=5";

const columns = [
  { title: "Problem", cell: one => html`<a href=${one.href}>${one.what}: ${one.where}</a>` },
  { title: "Severity", cell: one => state(one.severity, SEVERITIES[one.severity]) },
  { title: "Detail", cell: one => folded(one.detail) },
  {
    title: "For",
    figure: true,
    cell: one => html`<span title=${beginning(one)}>${one.begun.atLeast ? "at least " : nothing}${since(one.begun.at)}</span>`,
  },
];

function verdict(page) {
  const { all } = page.problems;
  if (all.length > 0) {
    const severe = all.filter(one => one.severity === "bad").length;
    return html`<p class="verdict">${state(all[0].severity, many(all.length, "problem"))}
      ${severe === 0 ? "none of them severe" : `${count(severe)} of them severe`}</p>
      ${table("Problems, the most severe first", columns, all, { hideCaption: true })}`;
  }
  return page.problems.isKnown(page)
    ? html`<p class="verdict">${state("good", "No problems")} The gateway is ready, and no reported value needs attention.</p>`
    : html`<p class="verdict">${state("none", "Reading the pages of the gateway …")}</p>`;
}

/** A running rollout; it is no problem. */
function rollout(page) {
  const latest = page.seen("generations")?.rollout;
  return latest?.share === undefined ? nothing : html`<section class="notice" aria-label="Rollout"><p>
    ${state(latest.state === "paused" ? "warn" : "good", latest.state)} <a href=${link("rollout")}>Rollout of generation
    ${latest.candidate}</a>: it gets ${latest.share} of the exchanges, step ${latest.step} of ${latest.steps.length}; the verdict is
    ${latest.verdict ?? "hold"}.</p></section>`;
}

function figures(page) {
  const routes = page.seen("traffic")?.routes;
  if (routes === undefined) {
    return missing(page, "traffic");
  }
  const listeners = page.seen("listeners")?.listeners;
  const loops = page.seen("loops")?.loops;
  const sum = what => routes.reduce((total, route) => total + route[what], 0);
  const all = { rate: sum("rate"), error_rate: sum("error_rate") };
  const slowest = routes.reduce((worst, one) => ((one.p99_ms ?? -1) > (worst?.p99_ms ?? -1) ? one : worst), null);
  const open = listeners?.reduce((total, listener) => total + listener.connections.open, 0);
  const worst = loops?.reduce((most, loop) => (loop.silent || loop.lag_us > most.lag_us ? loop : most));
  return html`<dl class="cards">
    ${card("Requests a second", rate(all.rate), sparkline(page.rates.of(), "all requests"))}
    ${card("Server errors", errors(all))}
    ${card("Slowest p99", millis(slowest?.p99_ms), slowest?.p99_ms === undefined ? nothing : html`<small>route ${routeName(slowest)}</small>`)}
    ${card("Connections", count(open), listeners && html`<small>on ${many(listeners.length, "listener")}</small>`)}
    ${card("Event-loop lag", worst ? lag(worst) : NONE, loops && html`<small>the worst of ${many(loops.length, "loop")}</small>`)}
  </dl>`;
}

const latest = [
  { title: "Request", cell: one => html`<a class="words" href=${link("exchanges", {}, one.id)}>${requestOf(one)}</a>` },
  { title: "Status", figure: true, cell: one => one.status || NONE },
  { title: "Took", figure: true, cell: one => millis(one.ms) },
  { title: "Error", cell: one => one.error ?? NONE },
  { title: "Ago", figure: true, cell: one => since(one.time) },
];

const exchanges = (page, path, title, empty) => (page.seen(path) === undefined
  ? missing(page, path)
  : table(title, latest, page.seen(path).exchanges, { empty }));

export default {
  id: "overview",
  title: "Overview",
  paths: () => [FAILED, SLOW],
  ticks: page => page.seen("faults")?.faults.length > 0,
  draw: page => html`${banner(page, link("faults"))}
    ${rollout(page)}
    ${verdict(page)}
    ${figures(page)}
    <div class="pair">
      ${exchanges(page, FAILED, "Latest failed exchanges", "none is kept")}
      ${exchanges(page, SLOW, "Latest slow exchanges", "none is kept")}
    </div>`,
};
