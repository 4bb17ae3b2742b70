// The time of one exchange: a table with a column that draws the other columns.

import { html, nothing, svg } from "./lib/lit-html.js";
import { millis } from "./format.js";
import { table } from "./parts.js";

// The phases follow each other without gaps; "connect" is the last part of "connection".
const PHASES = {
  inbound: "filters and route, until the first attempt",
  attempts: "failed attempts, and the pauses between them",
  connection: "waiting for a connection",
  upload: "sending the client's body to the origin",
  origin: "waiting for the head of the origin's response",
  outbound: "filters of the response",
  body: "the body of the response",
};

function phases(exchange) {
  const rows = [];
  let at = 0;
  for (const [name, about] of Object.entries(PHASES)) {
    const ms = exchange.phases?.[name];
    if (ms !== undefined) {
      rows.push({ kind: "phase", name, about, at, ms });
      at += ms;
      const connect = exchange.phases.connect;
      if (name === "connection" && connect > 0) {
        rows.push({ kind: "part", name: "connect", about: "opening the connection: DNS, TCP, TLS", at: at - connect, ms: connect });
      }
    }
  }
  return rows;
}

const filters = exchange => (exchange.filters ?? []).map(filter => ({
  kind: "filter",
  name: filter.filter,
  about: `${filter.stage}, ${filter.outcome}`,
  at: filter.at,
  ms: filter.ms,
  bad: /fail|timeout|error/.test(filter.outcome),
}));

const attempts = exchange => (exchange.attempts ?? []).map(attempt => ({
  kind: "attempt",
  again: attempt.again,
  name: attempt.endpoint,
  about: [
    attempt.failure ?? (attempt.status === undefined ? "no response" : `status ${attempt.status}`),
    attempt.reused === undefined ? "" : attempt.reused ? "kept connection" : `connected in ${millis(attempt.connect_ms)}`,
  ].filter(word => word !== "").join(", "),
  at: attempt.at,
  ms: attempt.ms,
  mark: attempt.answered_at,
  bad: attempt.failure !== undefined || attempt.status >= 500,
}));

const calls = exchange => (exchange.calls ?? []).flatMap(call => [
  {
    kind: "call",
    name: `${call.upstream} ${call.path}`,
    about: call.failure ?? `${call.method}: status ${call.status}`,
    at: call.at,
    ms: call.ms,
    bad: call.failure !== undefined || call.status >= 500,
  },
  ...(call.attempts.length > 1 ? attempts(call) : []),
]);

const LEAST = 0.4; // per cent: makes very short spans visible

function drawn(row, whole) {
  const x = Math.min(100 - LEAST, (row.at / whole) * 100);
  const width = Math.max(LEAST, Math.min(100 - x, (row.ms / whole) * 100));
  return html`<svg class="span ${row.kind} ${row.bad ? "failed" : ""}" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
    <title>${row.name}: ${millis(row.ms)}, from ${millis(row.at)} on</title>
    <rect class="ground" width="100" height="12" />
    <rect class="time" x=${x} width=${width} y=${row.kind === "part" ? 4 : 1} height=${row.kind === "part" ? 4 : 10} />
    ${row.mark === undefined ? nothing : svg`<rect class="mark" x=${Math.min(99.5, (row.mark / whole) * 100)} width="0.5" height="12" />`}
  </svg>`;
}

const columns = whole => [
  { title: "What", cell: row => html`<span class="kind">${row.kind === "part" ? "of it" : (row.again ?? row.kind)}</span> ${row.name}` },
  { title: "Course", style: "course", cell: row => drawn(row, whole) },
  { title: "From", figure: true, cell: row => millis(row.at) },
  { title: "Took", figure: true, cell: row => millis(row.ms) },
  { title: "Result", cell: row => html`<small>${row.bad ? "✖ " : ""}${row.about}</small>` },
];

/** The phases of an exchange, its attempts, its filters, and their call-outs. */
export function waterfall(exchange) {
  const rows = [...phases(exchange), ...attempts(exchange), ...filters(exchange), ...calls(exchange)];
  const whole = Math.max(exchange.ms ?? 0, ...rows.map(row => row.at + row.ms), 0.001);
  return table(`Time line of ${millis(exchange.ms)}`, columns(whole), rows, {
    empty: "no times were recorded",
    mark: row => row.kind,
  });
}
