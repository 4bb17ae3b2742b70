// Faults that are injected into live traffic for a rehearsal.

import { html, nothing } from "../lib/lit-html.js";
import { clock, left } from "../format.js";
import { actions, button, missing, state, table } from "../parts.js";
import { effects, rest, starter, where } from "../rehearsal.js";

const conditions = fault => html`${where(fault)}
  ${Object.entries(fault.headers ?? {}).map(([name, value]) => html`<small class="part">with <code>${name}: ${value}</code></small>`)}
  ${fault.predicates ? html`<small class="part">with further predicates</small>` : nothing}`;

const stop = (page, fault) => page.act({
  title: `Stop the fault ${fault.name}?`,
  text: fault.source === "configuration"
    ? "The fault ends at once, and delayed requests are forwarded. The fault stays stopped until its settings change or the gateway restarts."
    : "The fault ends at once, and delayed requests are forwarded.",
  action: "Stop the fault",
  path: "faults/stop",
  parameters: () => ({ name: fault.name, route: fault.routes }),
  done: `The fault ${fault.name} has ended.`,
});

const columns = (page, all) => [
  { title: "Fault", cell: fault => fault.name },
  { title: "Effect", cell: fault => html`<span class="words">${effects(fault)}</span>` },
  { title: "Share", cell: fault => html`${fault.share} <small class="part">by ${fault.by}</small>` },
  { title: "Requests of", cell: conditions },
  { title: "Ends in", cell: fault => html`<span class="moment">${left(rest(fault))}</span> <small class="part" title=${fault.until}>at ${clock(fault.until)}</small>` },
  { title: "Started by", cell: starter },
  ...actions(page, all, fault => ({ routes: fault.routes }), fault => button("Stop", `the fault ${fault.name}`, () => stop(page, fault))),
];

export default {
  id: "faults",
  title: "Faults",
  paths: () => [],
  ticks: page => page.seen("faults")?.faults.length > 0,
  draw(page) {
    const all = page.seen("faults");
    if (all === undefined) {
      return missing(page, "faults");
    }
    if (all.faults.length === 0) {
      return html`<p class="verdict">${state("none", "no faults")} No fault is active.</p>
        <p>${all.enabled
          ? html`The command <code>lychgate faults inject</code> starts a fault for a limited time.`
          : html`The configuration permits no faults. They require <code>faults.enabled: true</code>.`}</p>`;
    }
    return html`${table("Active faults, in the order in which they take effect", columns(page, all.faults), all.faults, {
      current: fault => page.place.parameters.get("name") === fault.name,
    })}`;
  },
};
