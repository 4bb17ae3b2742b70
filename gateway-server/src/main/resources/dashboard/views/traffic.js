// The rates, errors and durations of routes.

import { html } from "../lib/lit-html.js";
import { count, millis, NONE, percent, rate } from "../format.js";
import { circuit, connections, errors, errorShare, lag, routeName, UNROUTED, validity } from "../marks.js";
import { missing, sparkline, state, table } from "../parts.js";
import { link } from "../place.js";
import { orderOf, pressed, sorted } from "../sorting.js";

const STATES = { "": "all routes", errors: "routes with errors", open: "routes with an open circuit" };

/** By name, so that rows stay where they are; requests without a route come last. */
const byName = routes => [...routes].sort((a, b) => (a.id === UNROUTED) - (b.id === UNROUTED) || a.id.localeCompare(b.id));

const statuses = route => Object.entries(route.statuses ?? {})
  .filter(([, n]) => n > 0)
  .map(([kind, n]) => html`<span class="status s${kind[0]}">${kind} <b>${count(n)}</b></span> `);

/** The upstreams of routes, by the id of the route. */
const upstreamsOf = page => new Map((page.seen("routes")?.routes ?? []).map(route => [route.id, route.action.upstream]));

const breakersOf = page => page.seen("breakers")?.breakers ?? [];

/** The hit ratios of routes with a cache, by the id of the route. */
const hitsOf = page => new Map((page.seen("cache")?.routes ?? []).map(cache => [cache.route, cache.hit_ratio]));

const peak = (page, route) => Math.max(0, ...page.rates.of(route.id).map(([, value]) => value));

function columns(page) {
  const upstreams = upstreamsOf(page);
  const breakers = breakersOf(page);
  const upstream = route => upstreams.get(route.id);
  const hits = hitsOf(page);
  const hit = route => hits.get(route.id);
  return [
    { id: "route", title: "Route", value: routeName, cell: routeName },
    {
      id: "upstream",
      title: "Upstream",
      value: upstream,
      cell: route => (upstream(route) === undefined ? NONE
        : html`<a href=${link("topology", { upstream: upstream(route) })}>${upstream(route)}</a>${circuit(breakers, upstream(route))}`),
    },
    { id: "peak", title: "Last minutes", descends: true, value: route => peak(page, route), cell: route => sparkline(page.rates.of(route.id), routeName(route)) },
    { id: "rate", title: "Per second", figure: true, value: route => route.rate, cell: route => rate(route.rate) },
    { id: "errors", title: "Errors", figure: true, value: errorShare, cell: errors },
    { id: "p50", title: "p50", figure: true, value: route => route.p50_ms, cell: route => millis(route.p50_ms) },
    { id: "p99", title: "p99", figure: true, value: route => route.p99_ms, cell: route => millis(route.p99_ms) },
    { id: "5xx", title: "Responses", descends: true, value: route => route.statuses?.["5xx"] ?? 0, cell: statuses },
    ...(hits.size > 0 ? [{
      id: "cache",
      title: "From the cache",
      figure: true,
      value: hit,
      cell: route => (hit(route) === undefined ? NONE : percent(hit(route))),
    }] : []),
    { id: "total", title: "Since the start", figure: true, value: route => route.total, cell: route => count(route.total) },
  ];
}

/** The routes that the place selects: by state, and by text in their names, predicates and upstreams. */
function filtered(page, routes) {
  const { parameters } = page.place;
  const text = (parameters.get("q") ?? "").toLowerCase();
  const upstreams = upstreamsOf(page);
  const predicates = new Map((page.seen("routes")?.routes ?? []).map(route => [route.id, route.predicates.join(" ")]));
  const open = new Set(breakersOf(page).filter(one => one.position !== "closed").map(one => one.upstream));
  const inState = {
    errors: route => route.error_rate > 0,
    open: route => open.has(upstreams.get(route.id)),
  }[parameters.get("state")] ?? (() => true);
  return routes.filter(route => inState(route)
    && [routeName(route), predicates.get(route.id), upstreams.get(route.id)].some(part => part?.toLowerCase().includes(text)));
}

const tools = page => html`<form class="bar-of-tools" role="search" aria-label="Routes" @submit=${event => event.preventDefault()}>
  <label>Show <select name="state" @change=${event => page.refine({ state: event.target.value })}>
    ${Object.entries(STATES).map(([value, words]) => html`<option value=${value}
      ?selected=${value === (page.place.parameters.get("state") ?? "")}>${words}</option>`)}
  </select></label>
  <label>Search <input name="q" type="search" spellcheck="false" autocomplete="off" placeholder="name, path or upstream"
    .value=${page.place.parameters.get("q") ?? ""} @input=${event => page.refine({ q: event.target.value })}></label>
</form>`;

function routeTable(page, traffic) {
  const all = columns(page);
  const order = orderOf(page.place, all);
  const routes = sorted(filtered(page, byName(traffic.routes)), order);
  const shown = routes.length === traffic.routes.length ? "" : `, ${routes.length} of ${traffic.routes.length}`;
  const time = traffic.seconds > 0 ? `figures of the last ${Math.round(traffic.seconds)} seconds` : "figures follow in a few seconds";
  return table(`Routes${shown}, ${time}`, all, routes, {
    empty: traffic.routes.length === 0 ? "this gateway has no routes" : "no route matches the filter",
    mark: route => (route.rate === 0 ? "quiet" : undefined),
    current: route => page.place.parameters.get("route") === route.id,
    sorting: { order, press: column => page.refine({ sort: pressed(column, order) }) },
  });
}

/** The limit in force, and the configured limit if the process can't open enough files for it. */
function limit({ connections: { most, configured = most } }) {
  return most === configured ? count(most) : html`${count(most)} <small>of ${count(configured)} configured</small>`;
}

const ofListeners = listeners => [
  { title: "Listener", cell: listener => listener.name },
  { title: "Connections", figure: true, cell: connections },
  { title: "At most", figure: true, cell: limit },
  { title: "Accepted so far", figure: true, cell: listener => count(listener.connections.accepted) },
  ...(listeners.some(listener => listener.certificates) ? [{
    title: "Certificates",
    cell: listener => (listener.certificates ?? []).map(one => html`<div>${one.name} ${validity(one)}</div>`),
  }] : []),
];

const ofLoops = [
  { title: "Event loop", cell: loop => loop.index },
  { title: "Lag", figure: true, cell: lag },
  { title: "Tasks waiting", figure: true, cell: loop => count(loop.pending) },
  { title: "Clients", figure: true, cell: loop => count(loop.clients) },
  { title: "Occupied by", cell: loop => (loop.filter ? html`${loop.filter} <small>for ${millis(loop.filter_ms)}</small>` : NONE) },
];

const ofLosses = [
  { title: "Losses", cell: loss => `${loss.kind}: ${loss.name}` },
  { title: "Last minute", figure: true, cell: loss => (loss.recent > 0 ? state(loss.kind === "memory" ? "bad" : "warn", count(loss.recent)) : "0") },
  { title: "Since the start", figure: true, cell: loss => count(loss.total) },
  { title: "Metric", cell: loss => loss.metric },
];

export default {
  id: "traffic",
  title: "Traffic",
  paths: () => ["listeners", "loops", "routes", "breakers", "cache"],
  draw(page) {
    const traffic = page.seen("traffic");
    if (traffic === undefined) {
      return missing(page, "traffic");
    }
    const { parameters } = page.place;
    const listeners = page.seen("listeners")?.listeners;
    const loops = page.seen("loops")?.loops;
    const losses = page.seen("losses")?.losses;
    return html`${tools(page)}
      ${routeTable(page, traffic)}
      <div class="pair">
        ${listeners ? table("Listeners", ofListeners(listeners), listeners, {
          current: listener => parameters.get("listener") === listener.name,
        }) : missing(page, "listeners")}
        ${loops ? table("Event loops", ofLoops, loops, {
          current: loop => parameters.get("loop") === String(loop.index),
        }) : missing(page, "loops")}
      </div>
      ${losses ? table("Losses: refused for lack of memory, or missing in logs and at receivers", ofLosses, losses, {
        current: loss => parameters.get("loss") === loss.metric && parameters.get("of") === loss.name,
      }) : missing(page, "losses")}`;
  },
};
