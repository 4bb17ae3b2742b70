// Parts of several views.

import { html, nothing, svg } from "./lib/lit-html.js";
import { rate } from "./format.js";
import { refusal } from "./operator.js";

const LONG = 200; // characters
const BEGINNING = 140;
const SIGNS = { good: "●", warn: "▲", bad: "✖", off: "■", none: "○" };

/** A state in a word, with a matching sign and colour. @param kind one of good, warn, bad, off, none */
export const state = (kind, word) =>
  html`<span class="state ${kind}"><span aria-hidden="true">${SIGNS[kind]}</span> ${word}</span>`;

/**
 * A table that scrolls within itself where the page is too narrow for it.
 *
 * @param columns `title`, `cell` (the content for a row), and `figure: true` if the content is a number; the first is the row's heading
 * @param current the row of the place: it is highlighted, and scrolled to
 * @param sorting the present `order` and the action of a heading (`press`), for a table that can be sorted
 */
export function table(caption, columns, rows, { empty = "nothing yet", hideCaption = false, mark, current, sorting } = {}) {
  const style = column => (column.figure ? "figure" : (column.style ?? nothing));
  const classes = row => [mark?.(row), current?.(row) && "chosen"].filter(Boolean).join(" ") || nothing;
  return html`<div class="scroll" role="region" aria-label=${caption} tabindex="0">
    <table>
      <caption class=${hideCaption ? "unseen" : nothing}><span>${caption}</span></caption>
      <thead><tr>${columns.map(c => heading(c, style(c), sorting))}</tr></thead>
      <tbody>
        ${rows.map(row => html`<tr class=${classes(row)} aria-current=${current?.(row) ? "true" : nothing} tabindex=${current?.(row) ? -1 : nothing}>
          <th scope="row">${columns[0].cell(row)}</th>
          ${columns.slice(1).map(c => html`<td class=${style(c)}>${c.cell(row)}</td>`)}
        </tr>`)}
        ${rows.length === 0 ? html`<tr><td class="empty" colspan=${columns.length}>${empty}</td></tr>` : nothing}
      </tbody>
    </table>
  </div>`;
}

function heading(column, style, sorting) {
  if (sorting === undefined || column.id === undefined) {
    return html`<th scope="col" class=${style}>${column.title}</th>`;
  }
  const { order, press } = sorting;
  const sort = order?.column.id !== column.id ? nothing : order.descending ? "descending" : "ascending";
  return html`<th scope="col" class=${style} aria-sort=${sort}>
    <button type="button" class="link" @click=${() => press(column)}>${column.title}${sort === nothing ? nothing
      : html`<span aria-hidden="true"> ${order.descending ? "▼" : "▲"}</span>`}</button></th>`;
}

/** A large figure. */
export const card = (name, value, more = nothing) =>
  html`<div class="card"><dt>${name}</dt><dd><strong>${value}</strong>${more}</dd></div>`;

/** An action. @param about its object, for screen readers, which do not show its row */
export const button = (word, about, action, style = "") =>
  html`<button type="button" class=${style} @click=${action}>${word}<span class="unseen"> ${about}</span></button>`;

/**
 * The column of actions; none if the reader may not change any of the rows.
 *
 * @param named the names in the change of a row, see `page.may`
 * @param cell the actions of a row
 */
export const actions = (page, rows, named, cell) => (rows.some(row => page.may(named(row)))
  ? [{ title: "Actions", style: "actions", cell: row => (page.may(named(row)) ? cell(row) : nothing) }]
  : []);

/** A text that is folded if it is long. */
export const folded = text => (text.length <= LONG
  ? html`<span class="words">${text}</span>`
  : html`<details class="words"><summary>${text.slice(0, BEGINNING)} …</summary>… ${text.slice(BEGINNING)}</details>`);

/** The reason why the reader may not change the whole gateway; nothing if the reader may. */
export function spectator(page) {
  const operator = page.seen("operator");
  return operator === undefined || page.may() ? nothing : html`<p class="empty">${refusal(operator)}</p>`;
}

/** The content of a view without data: before the first response, or if this gateway has no such data. */
export function missing(page, path) {
  const failure = page.failure(path);
  if (failure === undefined) {
    return html`<p class="empty">reading from the gateway …</p>`;
  }
  const words = failure.status === 404 ? "this gateway does not report this data" : failure.message;
  return html`<p class="empty">${state("none", words)}</p>`;
}

const WIDE = 120;
const HIGH = 28;
const GAP = 15000; // ms without a reading, after which the line breaks

/** A line of rates over the last minutes. @param points pairs of time (ms) and rate, oldest first */
export function sparkline(points, name) {
  if (points.length < 2) {
    return html`<span class="empty">${points.length === 0 ? "no figures" : "…"}</span>`;
  }
  const end = points[points.length - 1][0];
  const span = Math.max(60000, end - points[0][0]);
  const most = Math.max(...points.map(([, value]) => value));
  const x = at => (WIDE - 2 - ((end - at) / span) * (WIDE - 4)).toFixed(1);
  const y = value => (HIGH - 2 - (value / (most || 1)) * (HIGH - 5)).toFixed(1);
  const pieces = [];
  points.forEach(([at, value], i) => {
    if (i === 0 || at - points[i - 1][0] > GAP) {
      pieces.push([]);
    }
    pieces[pieces.length - 1].push([x(at), y(value)]);
  });
  const line = piece => piece.map(point => point.join(",")).join(" ");
  const area = piece => `${piece[0][0]},${HIGH} ${line(piece)} ${piece[piece.length - 1][0]},${HIGH}`;
  const words = `${name}: at most ${rate(most)} a second in the last ${Math.max(1, Math.round(span / 60000))} min`;
  return html`<svg class="sparkline" viewBox="0 0 ${WIDE} ${HIGH}" preserveAspectRatio="none" role="img" aria-label=${words}>
    <title>${words}</title>
    ${pieces.map(piece => svg`<polygon points=${area(piece)} /><polyline points=${line(piece)} />`)}
  </svg>`;
}

/** A share between 0 and 1 as a bar beside its figure. */
export const bar = share => html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
  <rect class="whole" width="100" height="8" /><rect class="part" width=${Math.round(share * 100)} height="8" />
</svg>`;
