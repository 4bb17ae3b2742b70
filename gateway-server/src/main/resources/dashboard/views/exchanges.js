// Requests that failed, were slow, or are traced, each with the story of where its time went.

import { html, nothing } from "../lib/lit-html.js";
import { get, withQuery } from "../api.js";
import { bytes, clock, millis, NONE } from "../format.js";
import { missing, state, table } from "../parts.js";
import { waterfall } from "../waterfall.js";

const REASONS = { "": "all", failed: "failed", slow: "slow", sampled: "traced" };
const KINDS = { failed: "bad", slow: "warn", sampled: "none" };

/** What was asked for; nothing of the kind may have come. */
const asked = one => (one.method ? `${one.method} ${one.path}` : "no request");

let reason = "";
let chosen = null;

const path = () => withQuery("exchanges", { reason, limit: 50 });

function choose(page, exchange) {
  chosen = exchange;
  page.draw();
  const story = document.querySelector("#story");
  story?.focus();
  story?.scrollIntoView({ block: "nearest" });
}

async function find(page, event) {
  event.preventDefault();
  const id = event.target.elements.id.value.trim();
  try {
    choose(page, await get(withQuery("exchanges/one", { id })));
  } catch (problem) {
    page.notice(problem.status === 404 ? "No exchange of that id is kept." : problem.message, true);
  }
}

const columns = page => [
  {
    title: "Request",
    cell: one => html`<button type="button" class="link" aria-pressed=${one === chosen || one.id === chosen?.id}
      @click=${() => choose(page, one)}>${asked(one)}</button>`,
  },
  { title: "Time", cell: one => clock(one.time) },
  { title: "Kept as", cell: one => state(KINDS[one.reason] ?? "none", REASONS[one.reason] ?? one.reason) },
  { title: "Status", figure: true, cell: one => one.status || NONE },
  { title: "Took", figure: true, cell: one => millis(one.ms) },
  { title: "Route", cell: one => one.route ?? NONE },
  { title: "Attempts", figure: true, cell: one => one.attempts?.length ?? 0 },
  { title: "Last endpoint", cell: one => html`<code>${one.attempts?.at(-1)?.endpoint ?? NONE}</code>` },
  { title: "Error", cell: one => one.error ?? NONE },
];

const FACTS = [
  ["Id", one => html`<code>${one.id}</code>`],
  ["Trace", one => one.trace && html`<code>${one.trace}</code>`],
  ["Host", one => one.host],
  ["Client", one => one.client],
  ["Listener", one => one.listener],
  ["Protocol", one => one.protocol],
  ["Generation", one => one.generation],
  ["Request body", one => one.request_bytes !== undefined && bytes(one.request_bytes)],
  ["Answer's body", one => one.response_bytes !== undefined && bytes(one.response_bytes)],
  ["Error", one => one.error && `${one.error}, by the ${one.side ?? "?"} side`],
  ["Detail", one => one.detail],
];

const story = (page, one) => html`<section id="story" tabindex="-1" aria-label="One exchange">
  <h2 class="words">${asked(one)}</h2>
  <p>${state(KINDS[one.reason] ?? "none", REASONS[one.reason] ?? one.reason)} status <b>${one.status || "none"}</b>, took <b>${millis(one.ms)}</b>,
    route <b>${one.route ?? "none"}</b>, at ${clock(one.time)}</p>
  ${waterfall(one)}
  <dl class="facts">${FACTS.map(([name, of]) => {
    const value = of(one);
    return value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : nothing;
  })}</dl>
  <p class="actions"><button type="button" @click=${() => { chosen = null; page.draw(); }}>Close</button></p>
</section>`;

export default {
  id: "exchanges",
  title: "Exchanges",
  paths: () => [path()],
  draw(page) {
    const all = page.seen(path());
    const select = event => {
      reason = event.target.value;
      page.draw();
      page.look();
    };
    return html`<div class="bar-of-tools">
        <label>Show <select @change=${select}>
          ${Object.entries(REASONS).map(([value, word]) => html`<option value=${value} ?selected=${value === reason}>${word}</option>`)}
        </select></label>
        <form @submit=${event => find(page, event)}>
          <label>Request or trace id <input name="id" required spellcheck="false" autocomplete="off"></label>
          <button type="submit">Find</button>
        </form>
      </div>
      ${chosen === null ? nothing : story(page, chosen)}
      ${all === undefined ? missing(page, path()) : table("Kept exchanges, newest first", columns(page), all.exchanges, {
        empty: "none so far: nothing failed, and nothing was slow",
        mark: one => (one.id === chosen?.id ? "chosen" : undefined),
      })}`;
  },
};
