// How much goes where, how much of it fails, and how long it takes.

import { html, nothing } from "../lib/lit-html.js";
import { count, many, millis, percent, rate } from "../format.js";
import { card, missing, sparkline, state, table } from "../parts.js";

const NOBODY = "-"; // the id of what no route matched
const FEW = 0.001; // shares of errors from which on they are marked
const MANY = 0.05;

/** @param errors the server errors a second */
function failing(errors, all) {
  if (all === 0) {
    return percent(undefined);
  }
  const share = errors / all;
  return share < FEW ? percent(share) : state(share < MANY ? "warn" : "bad", percent(share));
}

const statuses = route => Object.entries(route.statuses ?? {})
  .filter(([, n]) => n > 0)
  .map(([kind, n]) => html`<span class="status s${kind[0]}">${kind} <b>${count(n)}</b></span> `);

function totals(page, traffic) {
  const all = traffic.routes.reduce((sum, route) => sum + route.rate, 0);
  const errors = traffic.routes.reduce((sum, route) => sum + route.error_rate, 0);
  const slowest = traffic.routes.reduce((worst, one) => ((one.p99_ms ?? -1) > (worst?.p99_ms ?? -1) ? one : worst), null);
  const open = traffic.listeners.reduce((sum, listener) => sum + listener.connections, 0);
  const lag = traffic.loops.reduce((most, loop) => Math.max(most, loop.lag_ms ?? 0), 0);
  return html`<dl class="cards">
    ${card("Requests a second", rate(all), sparkline(page.history.of(), "all requests"))}
    ${card("Server errors", failing(errors, all))}
    ${card("Slowest p99", millis(slowest?.p99_ms), slowest?.p99_ms === undefined ? nothing : html`<small>route ${name(slowest)}</small>`)}
    ${card("Connections", count(open), html`<small>on ${many(traffic.listeners.length, "listener")}</small>`)}
    ${card("Event-loop lag", millis(lag), html`<small>the worst of ${many(traffic.loops.length, "loop")}</small>`)}
  </dl>`;
}

const name = route => (route.id === NOBODY ? "no route matched" : route.id);

const columns = page => [
  { title: "Route", cell: name },
  { title: "Last minutes", cell: route => sparkline(page.history.of(route.id), name(route)) },
  { title: "Per second", figure: true, cell: route => rate(route.rate) },
  { title: "Errors", figure: true, cell: route => failing(route.error_rate, route.rate) },
  { title: "p50", figure: true, cell: route => millis(route.p50_ms) },
  { title: "p99", figure: true, cell: route => millis(route.p99_ms) },
  { title: "Answers", cell: statuses },
  { title: "Since the start", figure: true, cell: route => count(route.total) },
];

const listeners = [
  { title: "Listener", cell: listener => listener.name },
  { title: "Connections", figure: true, cell: listener => count(listener.connections) },
];

const loops = [
  { title: "Event loop", cell: loop => loop.index },
  { title: "Lag", figure: true, cell: loop => millis(loop.lag_ms) },
  { title: "Tasks waiting", figure: true, cell: loop => count(loop.pending) },
];

export default {
  id: "traffic",
  title: "Traffic",
  paths: () => [],
  draw(page) {
    const traffic = page.seen("traffic");
    if (traffic === undefined) {
      return missing(page, "traffic");
    }
    return html`${totals(page, traffic)}
      ${table(`Routes, figures of the last ${traffic.seconds} seconds`, columns(page), traffic.routes, {
        empty: "this gateway has no routes",
        mark: route => (route.rate === 0 ? "quiet" : undefined),
      })}
      <div class="pair">${table("Listeners", listeners, traffic.listeners)}${table("Event loops", loops, traffic.loops)}</div>`;
  },
};
