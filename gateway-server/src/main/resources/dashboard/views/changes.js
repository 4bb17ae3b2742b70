// The history of changes: its entries, and rollbacks to the files of an entry.

import { html, nothing } from "../lib/lit-html.js";
import { withQuery } from "../api.js";
import { count, many, millis, moment } from "../format.js";
import { button, folded, missing, spectator, state, table } from "../parts.js";
import { link } from "../place.js";

const MOST = 1000; // entries of one response
const STEPS = [50, 200, MOST];
const PACE = 10000; // ms; the gateway reads a file for every response
const SOON = 6000; // ms within which the entry of an action is written
const SHORT = 12; // digits of a digest in the list

const ACTIONS = ["reload", "rollback", "rollout", "faults", "faults/stop", "mirrors/reset", "filters", "upstreams/endpoint", "breakers",
  "renewal", "drain", "log", "start", "stop", "history"];
const KINDS = {
  accepted: "good",
  promoted: "good",
  candidate: "none",
  unchanged: "none",
  refused: "bad",
  denied: "bad",
  failed: "bad",
  aborted: "bad",
  fallback: "warn",
};

const shown = page => STEPS.find(most => most === Number(page.place.parameters.get("limit"))) ?? STEPS[0];

/** The path of the list; the place contains the length and the action of the list. */
const listed = page => withQuery("history", { limit: shown(page), action: page.place.parameters.get("action") });

const author = entry => html`${entry.operator ?? entry.by}${entry.operator === undefined ? nothing : html` <small>${entry.by}</small>`}
  ${entry.address === undefined ? nothing : html`<small class="part">${entry.address}</small>`}`;

const values = entry => Object.entries(entry.arguments ?? {}).map(([name, value]) => `${name}=${value}`);

function generations(entry) {
  if (entry.to === undefined) {
    return entry.from === undefined ? "" : count(entry.from);
  }
  return entry.from === undefined ? count(entry.to) : `${count(entry.from)} to ${count(entry.to)}`;
}

const files = entry => (entry.files ?? []).length + (entry.more_files ?? 0);

const verdict = entry => state(KINDS[entry.verdict] ?? "none", entry.verdict);

/** The content of an entry, as text for the search. */
const text = entry => [
  `#${entry.number}`, entry.time, moment(entry.time), entry.action, entry.verdict, entry.by, entry.operator, entry.address, entry.proof,
  entry.reason, entry.kept, entry.hash, ...values(entry), ...(entry.files ?? []).flatMap(file => [file.path, file.change, file.sha256]),
].filter(part => part !== undefined).join("\n").toLowerCase();

const rollBack = (page, entry) => page.act({
  title: `Roll back to entry ${entry.number}?`,
  text: `The files of this entry, of ${moment(entry.time)}, take effect as a new generation, which stays in force until a reload. A running rollout is aborted first. The files on disk stay as they are.`,
  action: "Roll back",
  danger: true,
  path: "rollback",
  parameters: () => ({ entry: entry.number }),
  done: `The files of entry ${entry.number} are in force, until a reload.`,
});

const rollbackTo = (page, entry) => (entry.kept !== undefined && page.may()
  ? button("Roll back …", `to entry ${entry.number}`, () => rollBack(page, entry))
  : nothing);

/** The URL of an entry, or of the list without an open entry. The selection of the list stays the same. */
const address = (page, number = "") => link("history", Object.fromEntries(page.place.parameters), String(number));

const columns = page => [
  { title: "Entry", cell: entry => html`<a href=${address(page, entry.number)}
    aria-current=${String(entry.number) === page.place.item ? "page" : nothing}>#${entry.number}</a>` },
  { title: "Time", style: "moment", cell: entry => moment(entry.time) },
  { title: "Change", cell: entry => html`<b>${entry.action}</b> ${verdict(entry)}` },
  { title: "By", cell: author },
  { title: "Generations", figure: true, cell: generations },
  {
    title: "What",
    cell: entry => html`<div class="words">${values(entry).map(value => html`<code>${value}</code> `)}
      ${entry.reason === undefined ? nothing : folded(entry.reason)}
      ${files(entry) === 0 ? nothing : html`<small class="part">${many(files(entry), "file")}:
        ${(entry.files ?? []).slice(0, 3).map(file => file.path).join(", ")}${files(entry) > 3 ? " …" : ""}</small>`}</div>`,
  },
  { title: "Files kept", cell: entry => (entry.kept === undefined ? nothing : html`<code title=${entry.kept}>${entry.kept.slice(0, SHORT)}</code>`) },
  ...(page.may() ? [{ title: "Actions", style: "actions", cell: entry => rollbackTo(page, entry) }] : []),
];

// ---- one entry

const FACTS = [
  ["Action", entry => entry.action],
  ["By", entry => entry.by],
  ["Operator", entry => entry.operator],
  ["Client", entry => entry.address],
  ["Credential", entry => entry.proof],
  ["Generations", generations],
  ["Took", entry => millis(entry.milliseconds)],
  ["Files kept as", entry => entry.kept && html`<code>${entry.kept}</code>`],
  ["Digest of the entry", entry => entry.hash && html`<code>${entry.hash}</code>`],
  ["Digest of the entry before", entry => html`<code>${entry.previous}</code>`],
];

const ofFiles = [
  { title: "File", cell: file => html`<code>${file.path}</code>` },
  { title: "Change", cell: file => file.change },
  { title: "SHA-256", cell: file => html`<code>${file.sha256 ?? ""}</code>` },
];

const story = (page, entry) => html`<section id="story" tabindex="-1" aria-label="One entry" aria-current="true">
  <h2>Entry ${entry.number}: ${entry.action}</h2>
  <p>${verdict(entry)} at ${moment(entry.time)}</p>
  ${entry.reason === undefined ? nothing : html`<p class="words">${entry.reason}</p>`}
  <dl class="facts">${[...FACTS, ...Object.entries(entry.arguments ?? {}).map(([name, value]) => [name, () => html`<code>${value}</code>`])]
    .map(([name, of]) => {
      const value = of(entry);
      return value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : nothing;
    })}</dl>
  ${files(entry) === 0 ? nothing : table(`${many(files(entry), "file")} that differ from the generation before`, ofFiles, entry.files ?? [])}
  <p class="actions">${rollbackTo(page, entry)}
    <button type="button" @click=${() => { location.hash = address(page); }}>Close</button></p>
</section>`;

/** The entry of the place. It may be older than the list. */
function opened(page, entries) {
  const { item } = page.place;
  if (item === "") {
    return nothing;
  }
  const entry = entries.find(one => String(one.number) === item);
  return entry !== undefined ? story(page, entry) : html`<section id="story" tabindex="-1" aria-label="One entry" aria-current="true">
    <h2>Entry <code class="words">${item}</code> is not in the list</h2>
    <p>The entry is older than the entries below, or it belongs to another action.</p>
    <p class="actions"><button type="button" @click=${() => { location.hash = address(page); }}>Close</button></p></section>`;
}

// ---- the list

const change = (page, parameters) => {
  page.refine(parameters);
  page.look();
};

const tools = page => html`<form class="bar-of-tools" role="search" aria-label="Entries" @submit=${event => event.preventDefault()}>
  <label>Action <select name="action" @change=${event => change(page, { action: event.target.value })}>
    ${["", ...ACTIONS].map(action => html`<option value=${action}
      ?selected=${action === (page.place.parameters.get("action") ?? "")}>${action || "all"}</option>`)}
  </select></label>
  <label>Newest <select name="limit" @change=${event => change(page, { limit: event.target.value })}>
    ${STEPS.map(most => html`<option value=${most} ?selected=${most === shown(page)}>${count(most)}</option>`)}
  </select></label>
  <label>Search <input name="q" type="search" spellcheck="false" autocomplete="off" placeholder="operator, reason, file or digest"
    .value=${page.place.parameters.get("q") ?? ""} @input=${event => page.refine({ q: event.target.value })}></label>
</form>`;

function entryTable(page, entries) {
  const wanted = (page.place.parameters.get("q") ?? "").toLowerCase();
  const found = entries.filter(entry => text(entry).includes(wanted));
  const part = found.length === entries.length ? "" : `, ${count(found.length)} of ${count(entries.length)}`;
  return table(`Entries, newest first${part}`, columns(page), found, {
    empty: entries.length === 0 ? "no entry" : "no entry matches the search",
    mark: entry => (String(entry.number) === page.place.item ? "chosen" : undefined),
  });
}

/** The list is read less often than other pages, except after an action. */
const due = page => (page.age(listed(page)) < PACE && page.sinceAction() > SOON ? [] : [listed(page)]);

export default {
  id: "history",
  title: "History",
  paths: due,
  draw(page) {
    const all = page.seen(listed(page));
    if (all === undefined) {
      return html`${tools(page)}${missing(page, listed(page))}`;
    }
    return html`${tools(page)}
      ${opened(page, all.entries)}
      ${entryTable(page, all.entries)}
      ${spectator(page)}`;
  },
};
