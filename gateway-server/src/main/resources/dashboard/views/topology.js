// The paths of requests: listeners, routes, upstreams, and the endpoints of each.

import { html, nothing } from "../lib/lit-html.js";
import { count, many, millis, percent, rate } from "../format.js";
import { errors } from "../marks.js";
import { actions, bar, button, missing, state, table } from "../parts.js";

/** The state of an endpoint, the most severe first. */
function standing(endpoint) {
  if (endpoint.admin === "disabled") {
    return state("off", "disabled");
  }
  if (endpoint.admin === "draining") {
    return state("warn", "draining");
  }
  if (endpoint.ejected) {
    return state("bad", "ejected");
  }
  const kind = { healthy: "good", unhealthy: "bad" }[endpoint.health] ?? "none";
  return html`${state(kind, endpoint.health === "unknown" ? "not checked" : endpoint.health)}
    ${endpoint.fault ? html`<small>${endpoint.fault}</small>` : nothing}`;
}

const WANTED = {
  draining: { word: "Drain", done: "drains", text: "The endpoint gets no new requests, except from clients that are bound to it. Running requests are completed." },
  disabled: { word: "Disable", done: "is disabled", text: "The endpoint gets no more requests. Running requests are completed." },
  enabled: { word: "Enable", done: "is enabled", text: "The endpoint receives its share of the traffic again." },
};

function change(page, upstream, endpoint, wanted) {
  const { word, done, text } = WANTED[wanted];
  return button(word, endpoint.endpoint, () => page.act({
    title: `${word} ${endpoint.endpoint}?`,
    text: `${text} This lasts over reloads, until the process ends.`,
    action: word,
    danger: wanted !== "enabled",
    path: "upstreams/endpoint",
    parameters: () => ({ upstream: upstream.name, endpoint: endpoint.endpoint, state: wanted }),
    done: `${endpoint.endpoint} of ${upstream.name} ${done}.`,
  }));
}

const weigh = (page, upstream, endpoint) => button("Weight …", `of ${endpoint.endpoint}`, () => page.act({
  title: `Weight of ${endpoint.endpoint}`,
  text: "The weight determines the endpoint's share of the traffic, relative to the other weights. The weight lasts over reloads, until the process ends.",
  action: "Set the weight",
  field: { label: "1 to 1000; 0 restores the configured weight", min: 0, max: 1000, value: endpoint.weight },
  path: "upstreams/endpoint",
  parameters: weight => ({ upstream: upstream.name, endpoint: endpoint.endpoint, weight }),
  done: `The weight of ${endpoint.endpoint} is set.`,
}));

const columns = (page, upstream) => [
  { title: "Endpoint", cell: endpoint => html`<code>${endpoint.endpoint}</code>${endpoint.zone ? html` <small>zone ${endpoint.zone}</small>` : nothing}` },
  { title: "State", cell: standing },
  { title: "Share", figure: true, cell: endpoint => html`${percent(endpoint.share)} ${bar(endpoint.share)}` },
  { title: "Per second", figure: true, cell: endpoint => rate(endpoint.rate) },
  { title: "Errors", figure: true, cell: errors },
  { title: "p50", figure: true, cell: endpoint => millis(endpoint.p50_ms) },
  { title: "p99", figure: true, cell: endpoint => millis(endpoint.p99_ms) },
  { title: "Weight", figure: true, cell: endpoint => endpoint.weight },
  { title: "Busy", figure: true, cell: endpoint => count(endpoint.busy) },
  { title: "Idle", figure: true, cell: endpoint => count(endpoint.idle) },
  { title: "Waiting", figure: true, cell: endpoint => count(endpoint.pending) },
  ...actions(page, upstream.endpoints, () => ({ upstreams: [upstream.name] }), endpoint => Object.keys(WANTED)
    .filter(wanted => wanted !== endpoint.admin)
    .map(wanted => change(page, upstream, endpoint, wanted))
    .concat(weigh(page, upstream, endpoint))),
];

const route = one => html`<li><b>${one.id}</b> <small>${one.predicates.join(", ") || "everything"}</small></li>`;

const fault = name => html`<p>${state("warn", `the lookup of ${name.name} failed: ${name.fault}`)}</p>`;

function lane(page, upstream, routes) {
  const { parameters } = page.place;
  const named = parameters.get("upstream") === upstream.name;
  const whole = named && !parameters.has("endpoint");
  const leading = routes.filter(one => one.action.upstream === upstream.name);
  return html`<section class="lane ${whole ? "chosen" : ""}" aria-label="Upstream ${upstream.name}"
      aria-current=${whole ? "true" : nothing} tabindex=${whole ? -1 : nothing}>
    <div class="from">
      <h3>Routes</h3>
      ${leading.length === 0 ? html`<p class="empty">no route selects this upstream</p>` : html`<ul>${leading.map(route)}</ul>`}
    </div>
    <div class="arrow" aria-hidden="true">→</div>
    <div class="to">
      <h3>Upstream ${upstream.name} <small>${upstream.algorithm}${upstream.tls ? `, TLS ${upstream.tls}` : ""}</small>
        ${upstream.panic ? state("bad", "panic: too few endpoints are healthy, so all are used") : nothing}</h3>
      ${(upstream.names ?? []).filter(name => name.fault).map(fault)}
      ${table(`Endpoints of ${upstream.name}`, columns(page, upstream), upstream.endpoints, {
        hideCaption: true,
        empty: "no endpoints",
        current: endpoint => named && parameters.get("endpoint") === endpoint.endpoint,
      })}
    </div>
  </section>`;
}

const answering = action => (action.type === "redirect" ? `redirects with ${action.status} to ${action.location}` : `responds with ${action.status}`);

export default {
  id: "topology",
  title: "Topology",
  paths: () => ["listeners", "routes", "upstreams"],
  draw(page) {
    const upstreams = page.seen("upstreams")?.upstreams;
    const routes = page.seen("routes")?.routes;
    if (upstreams === undefined || routes === undefined) {
      return missing(page, upstreams === undefined ? "upstreams" : "routes");
    }
    const own = routes.filter(one => one.action.type !== "proxy");
    const listeners = page.seen("listeners")?.listeners ?? [];
    return html`
      <h2>Listeners</h2>
      <ul class="chips">${listeners.map(one => html`<li><b>${one.name}</b> <code>${one.address}</code>
        <small>${many(one.connections?.open, "connection")}</small></li>`)}</ul>
      <h2>Paths of requests</h2>
      <p class="empty">Rates and percentiles are of the last ${Math.round(page.seen("upstreams").seconds) || "few"} seconds,
        by attempt, until the head of the response.</p>
      ${upstreams.map(upstream => lane(page, upstream, routes))}
      ${own.length === 0 ? nothing : html`<h2>Responses of the gateway itself</h2>
        <ul class="chips">${own.map(one => html`<li><b>${one.id}</b> <small>${one.predicates.join(", ") || "everything"}</small>
          ${answering(one.action)}</li>`)}</ul>`}`;
  },
};
