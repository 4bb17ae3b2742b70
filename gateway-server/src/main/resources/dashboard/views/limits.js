// The overload of upstreams; rate limits with their refusals and the keys that they refuse most; the protection against
// single clients, and bans.

import { html, nothing } from "../lib/lit-html.js";
import { count, many } from "../format.js";
import { ladders } from "../ladder.js";
import { missing, state, table } from "../parts.js";

const words = list => (list.length === 0 ? "none" : list.join(", "));

const refused = ({ refused: n, mode }) => {
  const beyond = mode === "shadow" ? html`${count(n)} <small>not enforced</small>` : count(n);
  return n > 0 ? state("warn", beyond) : "0";
};

const scope = ({ scope: name, fleet }) => {
  if (fleet === undefined) {
    return name;
  }
  const leases = fleet.decides === "exact" ? "exact" : `${many(fleet.leased, "unit")} leased`;
  return html`${fleet.lost ? state("warn", html`store lost <small>${fleet.on_loss}</small>`) : name}
    <small class="part">${many(fleet.gateways, "gateway")}, ${leases}</small>${fleet.on_loss_decisions > 0
      ? html`<small class="part">${many(fleet.on_loss_decisions, "decision")} without the store</small>` : nothing}`;
};

const ofLimits = [
  { title: "Limit", cell: limit => html`${limit.name} <small>${limit.limit} ${limit.unit}, burst ${count(limit.burst)}</small>` },
  { title: "Scope", cell: scope },
  { title: "Key", cell: limit => html`<code class="words">${limit.key.join(" ")}</code>` },
  { title: "Listeners", cell: limit => words(limit.listeners) },
  { title: "Routes", cell: limit => words(limit.routes) },
  { title: "Admitted", figure: true, cell: limit => count(limit.admitted) },
  { title: "Beyond the limit", figure: true, cell: refused },
  {
    title: "Keys in use",
    figure: true,
    cell: limit => html`${count(limit.keys)}${limit.crowded > 0
      ? html`<small class="part">${many(limit.crowded, "decision")} by shared buckets</small>` : nothing}`,
  },
];

const ofKeys = [
  { title: "Key", cell: one => html`<code class="words">${one.key}</code>` },
  { title: "Beyond the limit lately", figure: true, cell: one => count(one.refused) },
];

const mayRead = page => page.seen("operator")?.roles.includes("recorder") ?? false;

const keys = page => {
  if (!mayRead(page)) {
    return html`<p class="empty">The keys contain data of clients. They require the role recorder.</p>`;
  }
  const all = page.seen("rate-limits/keys");
  return all === undefined ? missing(page, "rate-limits/keys")
    : all.rate_limits.map(limit => table(`Keys beyond ${limit.name} in the last minutes`, ofKeys, limit.keys, { empty: "none" }));
};

const protection = ({ allow, deny, exempt, connections, connection_rate, requests, streams, ban }) => [
  allow.length > 0 ? `allow ${allow.join(" ")}` : undefined,
  deny.length > 0 ? `deny ${deny.join(" ")}` : undefined,
  exempt.length > 0 ? `exempt ${exempt.join(" ")}` : undefined,
  connections ? many(connections, "connection") : undefined,
  connection_rate ? `connections at ${connection_rate}` : undefined,
  requests ? many(requests, "request") : undefined,
  streams ? many(streams, "stream") : undefined,
  ban ? `ban ${ban}` : undefined,
].filter(Boolean).join(", ");

const reasons = ({ refused: byReason, mode }) => {
  const all = Object.entries(byReason).map(([reason, n]) => `${reason} ${count(n)}`);
  return all.length === 0 ? "0"
    : html`${state("warn", all.join(", "))}${mode === "shadow" ? html`<small class="part">limits not enforced</small>` : nothing}`;
};

const ofListeners = [
  { title: "Listener", cell: one => one.listener },
  { title: "For each client", cell: protection },
  { title: "Clients connected", figure: true, cell: one => count(one.clients) },
  { title: "Refused", cell: reasons },
];

const ofLists = [
  { title: "Address list", cell: list => list.name },
  { title: "Blocks", figure: true, cell: list => count(list.blocks) },
];

const ofBans = [
  { title: "Client", cell: ban => html`<code class="words">${ban.client}</code>` },
  { title: "Until", cell: ban => ban.until },
  { title: "By", cell: ban => `${ban.by} ${ban.author}` },
  { title: "Reason", cell: ban => html`<span class="words">${ban.reason}</span>` },
];

const clients = page => {
  const all = page.seen("clients");
  if (all === undefined) {
    return missing(page, "clients");
  }
  const bans = mayRead(page) ? page.seen("bans") : undefined;
  return html`${all.listeners.length > 0
    ? table("Protection against single clients, since the start", ofListeners, all.listeners) : nothing}
    ${all.address_lists.length > 0 ? table("Address lists", ofLists, all.address_lists) : nothing}
    ${bans !== undefined && bans.bans.length > 0 ? table("Banned clients", ofBans, bans.bans)
    : html`<p class="empty">Banned clients: ${count(all.bans)}</p>`}`;
};

const rates = (page, all) => all.rate_limits.length === 0
  ? html`<p class="verdict">${state("none", "no rate limits")} No rate limit is configured.</p>
      <p>With <code>rate-limits</code>, listeners and routes refuse requests of a client, a tenant or another key beyond a rate.</p>`
  : html`${table("Rate limits, since the start", ofLimits, all.rate_limits)}${keys(page)}`;

export default {
  id: "limits",
  title: "Limits",
  paths: page => ["overload", "rate-limits", "clients", ...(mayRead(page) ? ["rate-limits/keys", "bans"] : [])],
  draw(page) {
    const all = page.seen("rate-limits");
    if (all === undefined) {
      return missing(page, "rate-limits");
    }
    return html`${ladders(page.seen("overload")?.overload ?? [])}${rates(page, all)}${clients(page)}`;
  },
};
