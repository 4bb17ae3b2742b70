// Requests that failed, were slow, or are traced, each with its time line.

import { html, nothing } from "../lib/lit-html.js";
import { withQuery } from "../api.js";
import { bytes, clock, millis, NONE } from "../format.js";
import { requestOf } from "../marks.js";
import { missing, state, table } from "../parts.js";
import { link } from "../place.js";
import { waterfall } from "../waterfall.js";

const REASONS = { "": "all", failed: "failed", slow: "slow", sampled: "traced" };
const KINDS = { failed: "bad", slow: "warn", sampled: "none" };

/** The path of the list; the place contains the reason. */
const listed = page => withQuery("exchanges", { reason: page.place.parameters.get("reason"), limit: 50 });

const single = id => withQuery("exchanges/one", { id });

/** The URL of an exchange, or of the list without an open exchange. The selection of the list stays the same. */
const address = (page, id) => link("exchanges", { reason: page.place.parameters.get("reason") }, id);

const find = (page, event) => {
  event.preventDefault();
  location.hash = address(page, event.target.elements.id.value.trim());
};

const columns = page => [
  {
    title: "Request",
    cell: one => html`<a class="words" href=${address(page, one.id)} aria-current=${one.id === page.place.item ? "page" : nothing}>${requestOf(one)}</a>`,
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
  ["Response body", one => one.response_bytes !== undefined && bytes(one.response_bytes)],
  ["Error", one => one.error && `${one.error}, by the ${one.side ?? "?"} side`],
  ["Detail", one => one.detail],
];

const story = (page, one) => html`<section id="story" tabindex="-1" aria-label="One exchange" aria-current="true">
  <h2 class="words">${requestOf(one)}</h2>
  <p>${state(KINDS[one.reason] ?? "none", REASONS[one.reason] ?? one.reason)} status <b>${one.status || "none"}</b>, took <b>${millis(one.ms)}</b>,
    route <b>${one.route ?? "none"}</b>, at ${clock(one.time)}</p>
  ${waterfall(one)}
  <dl class="facts">${FACTS.map(([name, of]) => {
    const value = of(one);
    return value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : nothing;
  })}</dl>
  ${close(page)}
</section>`;

const close = page => html`<p class="actions"><button type="button" @click=${() => { location.hash = address(page); }}>Close</button></p>`;

/** The exchange of the place: from the list until it has been read separately, because the list may drop it. */
function opened(page, all) {
  const id = page.place.item;
  if (id === "") {
    return nothing;
  }
  const one = page.seen(single(id)) ?? all?.exchanges.find(each => each.id === id);
  if (one !== undefined) {
    return story(page, one);
  }
  const failure = page.failure(single(id));
  if (failure === undefined) {
    return missing(page, single(id));
  }
  return html`<section id="story" tabindex="-1" aria-label="One exchange" aria-current="true">
    <h2>${failure.status === 404 ? "This exchange is not kept" : "This exchange can't be read"}</h2>
    <p>No exchange with the request or trace id <code class="words">${id}</code> is shown: ${failure.message}.</p>
    ${close(page)}
  </section>`;
}

/** The paths to read for an exchange. A finished exchange does not change, so it is read once. */
function wanted(page, id) {
  const path = single(id);
  return id === "" || page.seen(path) !== undefined || page.failure(path)?.status === 404 ? [] : [path];
}

export default {
  id: "exchanges",
  title: "Exchanges",
  paths: page => [listed(page), ...wanted(page, page.place.item)],
  draw(page) {
    const all = page.seen(listed(page));
    const select = event => {
      page.refine({ reason: event.target.value });
      page.look();
    };
    const reason = page.place.parameters.get("reason") ?? "";
    return html`<div class="bar-of-tools">
        <label>Show <select @change=${select}>
          ${Object.entries(REASONS).map(([value, word]) => html`<option value=${value} ?selected=${value === reason}>${word}</option>`)}
        </select></label>
        <form @submit=${event => find(page, event)}>
          <label>Request or trace id <input name="id" required spellcheck="false" autocomplete="off"></label>
          <button type="submit">Find</button>
        </form>
      </div>
      ${opened(page, all)}
      ${all === undefined ? missing(page, listed(page)) : table("Kept exchanges, newest first", columns(page), all.exchanges, {
        empty: "none so far: nothing failed, and nothing was slow",
        mark: one => (one.id === page.place.item ? "chosen" : undefined),
      })}`;
  },
};
