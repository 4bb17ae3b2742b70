// The figures of the stable generation and of the candidate, side by side.

import { html } from "./lib/lit-html.js";
import { count, millis, NONE, rate } from "./format.js";
import { routeName } from "./marks.js";
import { table } from "./parts.js";

const part = (traffic, n) => (traffic.exchanges === 0 ? undefined : n / traffic.exchanges);

/** A share with two decimal places, so that 99.95 % is not shown as 100 %. */
const exact = share => (share === undefined ? NONE : `${(share * 100).toFixed(2)} %`);

/** The difference of two shares, in points. */
function points(stable, candidate) {
  if (stable === undefined || candidate === undefined) {
    return NONE;
  }
  const difference = (candidate - stable) * 100;
  return `${difference > 0 ? "+" : difference < 0 ? "−" : "±"}${Math.abs(difference).toFixed(2)} points`;
}

function later(stable, candidate) {
  if (stable === undefined || candidate === undefined) {
    return NONE;
  }
  const difference = candidate - stable;
  return `${difference > 0 ? "+" : difference < 0 ? "−" : "±"}${millis(Math.abs(difference))}`;
}

const share = (title, of) => ({
  title,
  show: traffic => html`${exact(part(traffic, of(traffic)))} <small>${count(of(traffic))}</small>`,
  difference: (stable, candidate) => points(part(stable, of(stable)), part(candidate, of(candidate))),
});

const time = (title, key) => ({
  title,
  show: traffic => millis(traffic[key]),
  difference: (stable, candidate) => later(stable[key], candidate[key]),
});

const FIGURES = [
  { title: "Exchanges a second", show: traffic => rate(traffic.rate), difference: () => "" },
  { title: "Exchanges in this step", show: traffic => count(traffic.exchanges), difference: () => "" },
  share("Errors", traffic => traffic.errors),
  share("Filter failures", traffic => traffic.filter_failures),
  time("p50", "p50_ms"),
  time("p99", "p99_ms"),
];

const classes = (stable, candidate) => [...new Set([...Object.keys(stable.statuses), ...Object.keys(candidate.statuses)])].sort()
  .map(kind => share(kind === "none" ? "No response" : `Responses ${kind}`, traffic => traffic.statuses[kind] ?? 0));

/** One row for each figure of all routes. */
export function comparison({ stable, candidate }) {
  const columns = [
    { title: "Figure", cell: one => one.title },
    { title: "Stable", figure: true, cell: one => one.show(stable) },
    { title: "Candidate", figure: true, cell: one => one.show(candidate) },
    { title: "Difference", figure: true, cell: one => one.difference(stable, candidate) },
  ];
  const caption = `Side by side: stable generation ${stable.generation}, candidate ${candidate.generation}`;
  return html`<div class="sides">${table(caption, columns, [...FIGURES, ...classes(stable, candidate)])}</div>`;
}

const NOTHING = { exchanges: 0, errors: 0, filter_failures: 0, statuses: {} };

/** A figure of both generations. */
const pair = (title, show) => ({
  title,
  figure: true,
  cell: route => html`${show(route.stable)} → <b>${show(route.candidate)}</b>`,
});

const ofRoutes = [
  { title: "Route", cell: routeName },
  pair("Exchanges", traffic => count(traffic.exchanges)),
  pair("Errors", traffic => exact(part(traffic, traffic.errors))),
  pair("Filter failures", traffic => exact(part(traffic, traffic.filter_failures))),
  pair("p50", traffic => millis(traffic.p50_ms)),
  pair("p99", traffic => millis(traffic.p99_ms)),
];

/** One row for each route. */
export function routes({ stable, candidate }) {
  const ids = [...new Set([...Object.keys(stable.routes), ...Object.keys(candidate.routes)])].sort();
  const rows = ids.map(id => ({ id, stable: stable.routes[id] ?? NOTHING, candidate: candidate.routes[id] ?? NOTHING }));
  return table("By route: stable → candidate", ofRoutes, rows, { empty: "no exchanges of this step have ended yet" });
}
