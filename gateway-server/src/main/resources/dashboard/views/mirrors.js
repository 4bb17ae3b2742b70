// Mirrors: the copies of requests, and how the responses to them differ.

import { html, nothing } from "../lib/lit-html.js";
import { withQuery } from "../api.js";
import { count, many, moment, since } from "../format.js";
import { button, missing, spectator, state, table } from "../parts.js";
import { link } from "../place.js";

const DROPPED = {
  "body-too-long": "request body too long",
  memory: "no memory",
  concurrency: "too many under way",
  incomplete: "request incomplete",
  overload: "gateway sheds load",
  draining: "gateway shuts down",
};

const total = counts => Object.values(counts).reduce((sum, n) => sum + n, 0);

/** A number with its parts: 12, and below it the reasons. */
const withParts = (counts, words = {}) => html`${count(total(counts))}${Object.entries(counts)
  .map(([name, n]) => html`<small class="part">${words[name] ?? name}: ${count(n)}</small>`)}`;

const without = ({ response, ...others }) => others;

const ofMirrors = [
  { title: "Mirror", cell: mirror => html`${mirror.route} <small>to ${mirror.upstream}</small>` },
  { title: "Copies with a response", figure: true, cell: mirror => count(mirror.outcomes.response ?? 0) },
  { title: "Copies without a response", figure: true, cell: mirror => withParts(without(mirror.outcomes)) },
  { title: "Dropped", figure: true, cell: mirror => withParts(mirror.dropped, DROPPED) },
  { title: "Equal", figure: true, cell: mirror => count(mirror.comparisons.equal ?? 0) },
  { title: "Different", figure: true, cell: mirror => (mirror.comparisons.different > 0 ? state("warn", count(mirror.comparisons.different)) : "0") },
  { title: "Compared in part", figure: true, cell: mirror => count(mirror.comparisons.partial ?? 0) },
  { title: "Not compared", figure: true, cell: mirror => count(mirror.comparisons.skipped ?? 0) },
];

// ---- groups of differences

/** The place of a group, or of a mirror without a group. */
const address = ({ route, upstream }, group) => link("mirrors", { route, upstream, kind: group?.kind, subject: group?.subject });

const isNamed = (page, names) => Object.entries(names).every(([name, value]) => page.place.parameters.get(name) === value);

const isOpen = (page, { route, upstream }, { kind, subject }) => isNamed(page, { route, upstream, kind, subject });

const groups = (page, mirror) => [
  {
    title: "Difference",
    cell: group => html`<a href=${address(mirror, group)} aria-current=${isOpen(page, mirror, group) ? "page" : nothing}
      >${group.kind} <code class="words">${group.subject}</code></a>`,
  },
  { title: "Requests", figure: true, cell: group => count(group.count) },
  { title: "First", style: "moment", cell: group => moment(group.first) },
  { title: "Last", cell: group => html`${since(group.latest)} ago` },
];

const further = mirror => (mirror.further > 0
  ? html`<p>${many(mirror.further, "further difference")} without a group, because there are too many groups.</p>` : nothing);

const examples = [
  { title: "Request", cell: one => html`<code class="words">${one.method} ${one.target}</code>` },
  { title: "Response to the client", cell: one => html`<code class="words">${one.primary}</code>` },
  { title: "Response to the copy", cell: one => html`<code class="words">${one.shadow}</code>` },
  { title: "Time", style: "moment", cell: one => moment(one.time) },
  { title: "Request id", cell: one => html`<code>${one.id}</code>` },
];

const mayRead = page => page.seen("operator")?.roles.includes("recorder") ?? false;

/** The path of the examples of a route; undefined if none are open, or the reader may not read them. */
function path(page) {
  const { parameters } = page.place;
  return parameters.has("subject") && mayRead(page) ? withQuery("mirrors/examples", { route: parameters.get("route") }) : undefined;
}

const closing = mirror => html`<p class="actions">
  <button type="button" @click=${() => { location.hash = address(mirror); }}>Close the examples</button></p>`;

/** The examples of the group that the place names; nothing if the group belongs to another mirror. */
function opened(page, mirror) {
  if (!mirror.differences.some(group => isOpen(page, mirror, group))) {
    return nothing;
  }
  const title = `Examples of ${page.place.parameters.get("kind")} ${page.place.parameters.get("subject")}, newest first`;
  if (!mayRead(page)) {
    return html`<section id="examples" aria-label="Examples"><p class="empty">Examples contain data of clients. They require the role recorder.</p>
      ${closing(mirror)}</section>`;
  }
  const all = page.seen(path(page));
  const group = all?.mirrors.find(one => one.upstream === mirror.upstream)?.differences.find(one => isOpen(page, mirror, one));
  return html`<section id="examples" aria-label="Examples">
    ${group === undefined ? missing(page, path(page)) : table(title, examples, group.examples)}
    ${closing(mirror)}</section>`;
}

const differences = (page, mirror) => html`
  ${table(`Differences of route ${mirror.route} to ${mirror.upstream}`, groups(page, mirror), mirror.differences, {
    current: group => isOpen(page, mirror, group),
    empty: "none",
  })}
  ${further(mirror)}
  ${opened(page, mirror)}`;

const reset = page => page.act({
  title: "Forget the differences?",
  text: "The groups of differences of all mirrors are removed, with their examples. Counts since the start remain.",
  action: "Forget them",
  danger: true,
  path: "mirrors/reset",
  done: "The differences are forgotten. New differences are listed again.",
});

export default {
  id: "mirrors",
  title: "Mirrors",
  paths: page => ["mirrors", path(page)].filter(Boolean),
  draw(page) {
    const all = page.seen("mirrors");
    if (all === undefined) {
      return missing(page, "mirrors");
    }
    if (all.mirrors.length === 0) {
      return html`<p class="verdict">${state("none", "no copies")} No mirror has copied a request since the start.</p>
        <p>With <code>mirror</code>, a route copies requests to another upstream, and this view lists how the responses differ.</p>`;
    }
    return html`
      ${table("Mirrors, since the start", ofMirrors, all.mirrors, {
        current: mirror => !page.place.parameters.has("subject") && isNamed(page, { route: mirror.route, upstream: mirror.upstream }),
      })}
      <p class="empty">Differences since ${moment(all.since)}, by the number of requests.</p>
      ${all.mirrors.filter(mirror => total(mirror.comparisons) > 0).map(mirror => differences(page, mirror))}
      ${page.may() ? html`<p class="actions">${button("Forget the differences …", "of all mirrors", () => reset(page))}</p>` : spectator(page)}`;
  },
};
