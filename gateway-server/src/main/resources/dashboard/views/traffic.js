// How much goes where, how much of it fails, and how long it takes.

import { html, nothing } from "../lib/lit-html.js";
import { count, many, millis, NONE, percent, rate } from "../format.js";
import { card, missing, sparkline, state, table } from "../parts.js";

const NOBODY = "-"; // the id of what no route matched
const FEW = 0.001; // shares of errors from which on they are marked
const MANY = 0.05;
const LATE = 50; // ms that an event loop may need to answer

const name = route => (route.id === NOBODY ? "no route matched" : route.id);

/** By name, so that rows stay where they are; what no route matched comes last. */
const inOrder = routes => [...routes].sort((a, b) => (a.id === NOBODY) - (b.id === NOBODY) || a.id.localeCompare(b.id));

/** @param errors a second, as `all` */
function failing(errors, all) {
  if (all === 0) {
    return NONE;
  }
  const share = errors / all;
  return share < FEW ? percent(share) : state(share < MANY ? "warn" : "bad", percent(share));
}

const statuses = route => Object.entries(route.statuses ?? {})
  .filter(([, n]) => n > 0)
  .map(([kind, n]) => html`<span class="status s${kind[0]}">${kind} <b>${count(n)}</b></span> `);

const lag = loop => (loop.silent ? state("bad", "silent") : loop.lag_us / 1000 > LATE ? state("warn", millis(loop.lag_us / 1000)) : millis(loop.lag_us / 1000));

function totals(page, routes, listeners, loops) {
  const all = routes.reduce((sum, route) => sum + route.rate, 0);
  const errors = routes.reduce((sum, route) => sum + route.error_rate, 0);
  const slowest = routes.reduce((worst, one) => ((one.p99_ms ?? -1) > (worst?.p99_ms ?? -1) ? one : worst), null);
  const open = listeners?.reduce((sum, listener) => sum + listener.connections.open, 0);
  const worst = loops?.reduce((most, loop) => (loop.silent || loop.lag_us > most.lag_us ? loop : most));
  return html`<dl class="cards">
    ${card("Requests a second", rate(all), sparkline(page.history.of(), "all requests"))}
    ${card("Server errors", failing(errors, all))}
    ${card("Slowest p99", millis(slowest?.p99_ms), slowest?.p99_ms === undefined ? nothing : html`<small>route ${name(slowest)}</small>`)}
    ${card("Connections", count(open), listeners && html`<small>on ${many(listeners.length, "listener")}</small>`)}
    ${card("Event-loop lag", worst ? lag(worst) : NONE, loops && html`<small>the worst of ${many(loops.length, "loop")}</small>`)}
  </dl>`;
}

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

/** The limit in force, and the configured one where the process may open too few files for it. */
function limit({ connections }) {
  const { most, configured = most } = connections;
  return most === configured ? count(most) : html`${count(most)} <small>of ${count(configured)} configured</small>`;
}

const ofListeners = [
  { title: "Listener", cell: listener => listener.name },
  { title: "Connections", figure: true, cell: listener => count(listener.connections.open) },
  { title: "At most", figure: true, cell: limit },
  { title: "Accepted so far", figure: true, cell: listener => count(listener.connections.accepted) },
];

const ofLoops = [
  { title: "Event loop", cell: loop => loop.index },
  { title: "Lag", figure: true, cell: lag },
  { title: "Tasks waiting", figure: true, cell: loop => count(loop.pending) },
  { title: "Clients", figure: true, cell: loop => count(loop.clients) },
  { title: "Held by", cell: loop => (loop.filter ? html`${loop.filter} <small>for ${millis(loop.filter_ms)}</small>` : NONE) },
];

export default {
  id: "traffic",
  title: "Traffic",
  paths: () => ["listeners", "loops"],
  draw(page) {
    const traffic = page.seen("traffic");
    if (traffic === undefined) {
      return missing(page, "traffic");
    }
    const routes = inOrder(traffic.routes);
    const listeners = page.seen("listeners")?.listeners;
    const loops = page.seen("loops")?.loops;
    const time = traffic.seconds > 0 ? `figures of the last ${Math.round(traffic.seconds)} seconds` : "figures come with the next look";
    return html`${totals(page, routes, listeners, loops)}
      ${table(`Routes, ${time}`, columns(page), routes, {
        empty: "this gateway has no routes",
        mark: route => (route.rate === 0 ? "quiet" : undefined),
      })}
      <div class="pair">
        ${listeners ? table("Listeners", ofListeners, listeners) : missing(page, "listeners")}
        ${loops ? table("Event loops", ofLoops, loops) : missing(page, "loops")}
      </div>`;
  },
};
