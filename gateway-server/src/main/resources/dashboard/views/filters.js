// The filters of the running generation: their costs and results.

import { html, nothing } from "../lib/lit-html.js";
import { count, millis, NONE } from "../format.js";
import { actions, button, missing, state, table } from "../parts.js";

function standing(filter) {
  if (filter.disabled) {
    return state("off", "disabled");
  }
  if (filter.ejected) {
    return state("bad", "ejected");
  }
  return filter.strikes > 0 ? state("warn", `${filter.strikes} strikes`) : state("good", "runs");
}

const place = filter => (filter.global ? "all requests" : filter.routes.join(", ") || "no route");

// The settings of a filter as in the configuration, shown on hover.
const settings = filter => Object.entries(filter.settings ?? {}).map(([name, value]) => `${name}: ${value}`).join("\n");

const mean = filter => (filter.runs === 0 ? NONE : millis(filter.micros / filter.runs / 1000));

function disable(page, filter, force) {
  return page.act({
    title: force ? `${filter.name} protects something. Disable it nevertheless?` : `Disable ${filter.name}?`,
    text: force
      ? "The filter fails closed, like a quota or an authentication. Without the filter, exchanges pass unchecked."
      : "Exchanges continue without the filter. This lasts over reloads, until the process ends.",
    action: force ? "Disable nevertheless" : "Disable",
    danger: true,
    path: "filters",
    parameters: () => ({ phase: filter.phase, name: filter.name, state: "disabled", force }),
    done: `${filter.name} is disabled.`,
    refused: problem => problem.status === 409 && force === undefined && Boolean(disable(page, filter, "true")),
  });
}

const enable = (page, filter) => page.act({
  title: `Enable ${filter.name}?`,
  text: "The filter runs again, for all later requests.",
  action: "Enable",
  path: "filters",
  parameters: () => ({ phase: filter.phase, name: filter.name, state: "enabled" }),
  done: `${filter.name} runs again.`,
});

const columns = (page, all) => [
  { title: "Filter", cell: filter => html`<b title=${settings(filter)}>${filter.name}</b> <small>${filter.source === "built-in" ? filter.form : filter.source}</small>` },
  { title: "Phase", cell: filter => filter.phase },
  { title: "Runs on", cell: place },
  { title: "State", cell: standing },
  { title: "Runs", figure: true, cell: filter => count(filter.runs) },
  { title: "Mean time", figure: true, cell: mean },
  { title: "Failures", figure: true, cell: filter => (filter.failures > 0 ? state("warn", count(filter.failures)) : 0) },
  { title: "Timeouts", figure: true, cell: filter => (filter.timeouts > 0 ? state("warn", count(filter.timeouts)) : 0) },
  { title: "Skipped", figure: true, cell: filter => count(filter.skipped) },
  { title: "If it fails", cell: filter => filter.on_failure },
  ...actions(page, all, filter => ({ filters: [filter.name], routes: [] }), filter => (filter.disabled
    ? button("Enable", filter.name, () => enable(page, filter))
    : button("Disable", filter.name, () => disable(page, filter)))),
];

const ignored = [
  { title: "File", cell: one => html`<code>${one.file}</code>` },
  { title: "Why", cell: one => one.reason },
];

export default {
  id: "filters",
  title: "Filters",
  paths: () => ["filters"],
  draw(page) {
    const all = page.seen("filters");
    if (all === undefined) {
      return missing(page, "filters");
    }
    const { parameters } = page.place;
    return html`${table(`Filters of generation ${all.generation}, in the order in which they run`, columns(page, all.filters), all.filters, {
      empty: "no filters run here",
      current: filter => parameters.get("phase") === filter.phase && parameters.get("name") === filter.name,
    })}
    ${(all.ignored ?? []).length === 0 ? nothing : table("Files that are not used", ignored, all.ignored, {
      current: one => parameters.get("file") === one.file,
    })}`;
  },
};
