// The active faults of a rehearsal, in words.

import { html, nothing } from "./lib/lit-html.js";
import { left, many } from "./format.js";
import { state } from "./parts.js";

const EFFECTS = [
  ["delay", of => `delay ${of.delay}`],
  ["abort", of => `abort with ${of.abort}${of.grpc_status === undefined ? "" : `, grpc-status ${of.grpc_status}`}`],
  ["reset", () => "reset of the client"],
  ["bandwidth", of => `at most ${of.bandwidth} a second`],
];

/** The effects of a fault, in words. */
export const effects = fault => EFFECTS.filter(([key]) => fault[key]).map(([, words]) => words(fault)).join(", ");

/** The routes of a fault, in words. */
export const where = fault => (fault.routes.length === 0 ? "all routes" : `route ${fault.routes.join(", ")}`);

/** The author of a fault. */
export const starter = fault => (fault.source === "configuration" ? "the configuration" : (fault.started_by ?? "an operator"));

/** The ms until a fault ends. */
export const rest = fault => Date.parse(fault.until) - Date.now();

/** A notice while faults are active; nothing if no fault is active. */
export function banner(page, href) {
  const active = page.seen("faults")?.faults ?? [];
  if (active.length === 0) {
    return nothing;
  }
  const last = Math.max(...active.map(rest));
  return html`<section class="notice warn" aria-label="Rehearsal"><p>${state("warn", "rehearsal")}
    <a href=${href}>${many(active.length, "fault")}</a> injected into live traffic: ${active.map(fault => fault.name).join(", ")}.
    The last fault ends in ${left(last)}.</p></section>`;
}
