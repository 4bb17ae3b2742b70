// The fleet: its head, and the last report of each node. The canary and the release in force side by side.

import { html, nothing } from "../lib/lit-html.js";
import { count, left, many, millis, NONE, percent, rate } from "../format.js";
import { folded, missing, state, table } from "../parts.js";

const SHORT = 12; // digits of a digest

const digest = text => (text ? html`<code title=${text}>${text.slice(0, SHORT)}</code>` : NONE);

const CONDITIONS = {
  lost: () => state("bad", "lost"),
  refuses: node => html`${state("bad", "refuses")} ${folded(node.faults.join("; "))}`,
  "no-store": node => html`${state("warn", "without the store")} ${folded(node.store)}`,
  behind: () => state("warn", "behind"),
  serves: () => state("good", "serves"),
};

const condition = node => CONDITIONS[node.condition](node);

const labels = node => Object.entries(node.labels).map(([name, value]) => `${name}=${value}`).join(", ") || NONE;

const errors = traffic => percent(traffic.rate > 0 ? traffic.error_rate / traffic.rate : undefined);

const figures = [
  { title: "Requests a second", figure: true, cell: one => rate(one.rate) },
  { title: "Errors", figure: true, cell: errors },
  { title: "p99", figure: true, cell: one => millis(one.p99_ms) },
];

/** Nodes with problems first, then those that serve the canary. */
const order = (head, node) => (node.condition !== "serves" ? 0 : node.active === head.stable ? 2 : 1);

const ofNodes = head => [
  { title: "Node", cell: node => html`<b>${node.node}</b>` },
  { title: "Condition", cell: condition },
  {
    title: "Release",
    cell: node => html`${digest(node.active)}${node.active && node.active === head.canary ? html` <small>canary</small>` : nothing}`,
  },
  { title: "Epoch", figure: true, cell: node => (node.epoch < head.epoch ? state("warn", count(node.epoch)) : count(node.epoch)) },
  ...figures,
  { title: "Labels", cell: labels },
  { title: "Report", cell: node => `${many(node.age, "second")} ago` },
];

/** The sums of the figures of the nodes that serve a release, and the largest p99 of these nodes. */
function side(name, release, nodes) {
  const serving = nodes.filter(node => node.condition !== "lost" && node.active === release);
  const sum = figure => serving.reduce((total, node) => total + node[figure], 0);
  const slowest = serving.map(node => node.p99_ms).filter(ms => ms !== undefined);
  return {
    name,
    release,
    nodes: serving.length,
    rate: sum("rate"),
    error_rate: sum("error_rate"),
    p99_ms: slowest.length > 0 ? Math.max(...slowest) : undefined,
  };
}

const ofSides = [
  { title: "Release", cell: one => html`<b>${one.name}</b> ${digest(one.release)}` },
  { title: "Nodes", figure: true, cell: one => count(one.nodes) },
  ...figures.slice(0, 2),
  { title: "Largest p99 of a node", figure: true, cell: figures[2].cell },
];

const canary = head => {
  if (!head.canary) {
    return nothing;
  }
  const rest = head.until === undefined ? nothing : new Date(head.until) - Date.now();
  const ends = rest === nothing ? nothing : html`<p>${rest > 0 ? `The canary ends in ${left(rest)}.` : "The canary has ended."}</p>`;
  return html`${table("The canary and the release in force", ofSides,
    [side("canary", head.canary, head.nodes), side("in force", head.stable, head.nodes)])}${ends}`;
};

export default {
  id: "fleet",
  title: "Fleet",
  isShown: page => page.seen("generations")?.fleet ?? false,
  paths: page => (page.seen("generations")?.fleet ? ["fleet/nodes"] : []),
  ticks: page => page.seen("fleet/nodes")?.until !== undefined,
  draw(page) {
    const head = page.seen("fleet/nodes");
    if (head === undefined) {
      return missing(page, "fleet/nodes");
    }
    const nodes = [...head.nodes].sort((one, other) => order(head, one) - order(head, other) || one.node.localeCompare(other.node));
    return html`
      <p class="verdict">Space <b>${head.space}</b>, epoch <b>${count(head.epoch)}</b> by ${head.author}: ${head.reason}.
        Release in force: ${digest(head.stable)}${head.prepared ? html`, in preparation: ${digest(head.prepared)}` : nothing}.</p>
      ${canary(head)}
      ${table("Nodes, figures of the last ten seconds before each report", ofNodes(head), nodes, { empty: "no node has reported" })}`;
  },
};
