// Explains the treatment of a request, without sending it.

import { html, nothing } from "../lib/lit-html.js";
import { get, withQuery } from "../api.js";
import { state, table } from "../parts.js";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const KINDS = { matched: "good", shares: "good", behind: "warn", "no traffic": "warn" };

let outcome = null;

async function ask(page, event) {
  event.preventDefault();
  const { method, url, headers, client, listener } = event.target.elements;
  const header = headers.value.split("\n").map(line => line.trim()).filter(line => line !== "");
  const asked = { method: method.value, url: url.value.trim(), header, client: client.value.trim(), listener: listener.value };
  try {
    outcome = await get(withQuery("explain", asked));
    page.draw();
    document.querySelector("#outcome")?.focus();
  } catch (problem) {
    outcome = null;
    page.notice(`This request can't be explained: ${problem.message}`, true);
  }
}

const considered = [
  { title: "Route", cell: route => route.route },
  { title: "Verdict", cell: route => state(KINDS[route.verdict] ?? "off", route.verdict) },
  { title: "Why", cell: route => html`<span class="words">${route.detail ?? ""}</span>` },
];

const filters = [
  { title: "Filter", cell: filter => filter.name },
  { title: "Phase", cell: filter => filter.phase },
  { title: "Runs", cell: filter => (filter.remark ? state("off", filter.remark) : state("good", "yes")) },
  { title: "Source", cell: filter => html`<small>${filter.source}</small>` },
];

const met = route => html`<h3>Route ${route.route}</h3><p class="words">This route ${route.does}.</p>
  ${route.overload === undefined ? nothing : html`<p class="words">Under overload: ${route.overload}.</p>`}
  ${route.cache === undefined ? nothing : html`<p class="words">Cache: ${route.cache}.</p>`}
  ${table(`Filters of route ${route.route}`, filters, route.filters, { empty: "no filters would run" })}`;

function shown(said) {
  if (said.refused !== undefined) {
    return html`<p>${state("bad", "refused")} The request would be rejected with 400: ${said.refused}</p>`;
  }
  return html`
    ${said.meets.length === 0
      ? html`<p>${state("bad", "no route")} The gateway would respond with 404.</p>
        ${table("Filters that would run", filters, said.filters ?? [], { empty: "no filters would run" })}`
      : said.meets.map(met)}
    ${said.meets.length > 1 ? html`<p>These routes share such requests by weight.</p>` : nothing}
    ${table("Every route, in the order of matching", considered, said.considered)}`;
}

export default {
  id: "explain",
  title: "Try a request",
  paths: () => ["listeners"],
  draw(page) {
    const listeners = page.seen("listeners")?.listeners ?? [];
    return html`<p>Explains the treatment of a request. No request is sent, and no filter runs.</p>
      <form class="try" @submit=${event => ask(page, event)}>
        <label>Method <select name="method">${METHODS.map(one => html`<option>${one}</option>`)}</select></label>
        <label class="wide">URL, or a path <input name="url" required placeholder="/api/orders" spellcheck="false" autocomplete="off"></label>
        <label class="wide">Header fields, one per line <textarea name="headers" rows="3" placeholder="x-beta: yes" spellcheck="false"></textarea></label>
        <label>From the client <input name="client" placeholder="127.0.0.1" spellcheck="false" autocomplete="off"></label>
        <label>To the listener <select name="listener"><option value="">the first</option>
          ${listeners.map(one => html`<option>${one.name}</option>`)}</select></label>
        <p class="actions"><button type="submit" class="main">Try</button></p>
      </form>
      ${outcome === null ? nothing : html`<section id="outcome" tabindex="-1" aria-label="Treatment">
        <h2><code class="words">${outcome.request}</code></h2>${shown(outcome)}</section>`}`;
  },
};
