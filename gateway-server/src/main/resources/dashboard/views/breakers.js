// The guards between the gateway and its origins: circuits, limits, and pooled connections.

import { html, nothing } from "../lib/lit-html.js";
import { count, NONE, percent } from "../format.js";
import { actions, button, missing, state, table } from "../parts.js";

const KINDS = { closed: "good", "half-open": "warn", open: "bad" };
const WANTED = {
  "force-open": { word: "Hold open", held: "held open", text: "No request is sent to the upstream, not even a probe. The gateway rejects the requests." },
  "force-closed": { word: "Hold closed", held: "held closed", text: "All requests pass, regardless of failures." },
  auto: { word: "Let it decide", held: "decides for itself", text: "The circuit opens and closes by the results of attempts." },
};

const about = breaker => (breaker.endpoint ? `${breaker.upstream}, ${breaker.endpoint}` : breaker.upstream);

const hold = (page, breaker, wanted) => button(WANTED[wanted].word, `the circuit of ${about(breaker)}`, () => page.act({
  title: `${WANTED[wanted].word}: the circuit of ${about(breaker)}?`,
  text: `${WANTED[wanted].text} This lasts over reloads, until the process ends.`,
  action: WANTED[wanted].word,
  danger: wanted !== "auto",
  path: "breakers",
  parameters: () => ({ upstream: breaker.upstream, endpoint: breaker.endpoint, state: wanted }),
  done: `The circuit of ${about(breaker)}: ${WANTED[wanted].held}.`,
}));

const circuits = (page, all) => [
  { title: "Circuit of", cell: breaker => html`<b>${breaker.upstream}</b> ${breaker.endpoint ? html`<code>${breaker.endpoint}</code>` : nothing}` },
  { title: "Position", cell: breaker => state(KINDS[breaker.position] ?? "none", breaker.position) },
  { title: "Decided by", cell: breaker => (breaker.state === "auto" ? "itself" : html`an operator: ${WANTED[breaker.state]?.held ?? breaker.state}`) },
  { title: "Attempts", figure: true, cell: breaker => count(breaker.attempts) },
  { title: "Failed", figure: true, cell: breaker => (breaker.attempts > 0 ? `${count(breaker.failures)} (${percent(breaker.failures / breaker.attempts)})` : 0) },
  { title: "Openings", figure: true, cell: breaker => count(breaker.openings) },
  ...actions(page, all, breaker => ({ upstreams: [breaker.upstream] }),
    breaker => Object.keys(WANTED).filter(wanted => wanted !== breaker.state).map(wanted => hold(page, breaker, wanted))),
];

const limits = [
  { title: "Upstream", cell: upstream => html`<b>${upstream.name}</b>` },
  { title: "Running", figure: true, cell: upstream => count(upstream.protection.under_way) },
  { title: "Limit", figure: true, cell: upstream => count(upstream.protection.limit) },
  { title: "Bulkhead taken", figure: true, cell: upstream => count(upstream.protection.bulkhead_in_use) },
  { title: "Retries left", figure: true, cell: upstream => count(upstream.protection.retry_budget_left) },
];

const closed = pool => Object.entries(pool.closed).filter(([, n]) => n > 0).map(([why, n]) => `${why} ${count(n)}`).join(", ") || NONE;

const pools = [
  { title: "Pool of", cell: pool => html`<b>${pool.upstream}</b> <code>${pool.endpoint}</code>` },
  { title: "Busy", figure: true, cell: pool => count(pool.busy) },
  { title: "Idle", figure: true, cell: pool => count(pool.idle) },
  { title: "Connecting", figure: true, cell: pool => count(pool.connecting) },
  { title: "Waiting", figure: true, cell: pool => (pool.pending > 0 ? state("warn", count(pool.pending)) : 0) },
  { title: "Opened", figure: true, cell: pool => count(pool.opened) },
  { title: "Reused", figure: true, cell: pool => count(pool.reused) },
  { title: "Connect failures", figure: true, cell: pool => (pool.connect_failures > 0 ? state("warn", count(pool.connect_failures)) : 0) },
  { title: "Closed, by reason", cell: pool => html`<small>${closed(pool)}</small>` },
];

export default {
  id: "breakers",
  title: "Breakers and pools",
  paths: () => ["breakers", "pools", "upstreams"],
  draw(page) {
    const { parameters } = page.place;
    const part = (path, show) => (page.seen(path) === undefined ? missing(page, path) : show(page.seen(path)));
    return html`
      ${part("breakers", all => table("Circuits, with the attempts in their windows", circuits(page, all.breakers), all.breakers, {
        empty: "no upstream has a breaker",
        current: breaker => parameters.get("upstream") === breaker.upstream && (parameters.get("endpoint") ?? "") === (breaker.endpoint ?? ""),
      }))}
      ${part("upstreams", all => table("Limits", limits, all.upstreams, { empty: "no upstreams" }))}
      ${part("pools", all => table("Pools of connections", pools, all.pools, { empty: "no connections yet" }))}`;
  },
};
