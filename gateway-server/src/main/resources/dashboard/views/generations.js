// Earlier generations, refusals with their reasons, and rollbacks.

import { html, nothing } from "../lib/lit-html.js";
import { get, withQuery } from "../api.js";
import { clock, since } from "../format.js";
import { button, missing, spectator, state, table } from "../parts.js";

let difference = null; // the difference of two generations

async function compare(page, from, to) {
  try {
    difference = await get(withQuery("generations/diff", { from, to }));
    page.draw();
    document.querySelector("#difference")?.focus();
  } catch (problem) {
    page.notice(`The generations can't be compared: ${problem.message}`, true);
  }
}

const rollBack = (page, one) => page.act({
  title: `Roll back to generation ${one.number}?`,
  text: `Its configuration and filters take effect for all later requests, as a generation with a new number. Reason for which generation ${one.number} was built: ${one.why}.`,
  action: "Roll back",
  danger: true,
  path: "rollback",
  parameters: () => ({ generation: one.number }),
  done: `Generation ${one.number} has taken effect, under a new number.`,
});

const reload = page => page.act({
  title: "Read the files again?",
  text: "A new generation is built from the configuration and the filters, if they are valid; otherwise nothing changes.",
  action: "Reload",
  path: "reload",
  done: "The files are in force.",
});

const columns = (page, running) => [
  { title: "Generation", cell: one => one.number },
  { title: "State", cell: one => (one.running ? state("good", "runs") : state("none", "kept")) },
  { title: "In force since", cell: one => html`${clock(one.since)} <small>${since(one.since)} ago</small>` },
  { title: "Why", cell: one => html`<span class="words">${one.why}</span>` },
  {
    title: "Actions",
    style: "actions",
    cell: one => (one.running || running === undefined ? nothing : [
      button("Compare", `generation ${one.number} with the running one`, () => compare(page, one.number, running.number)),
      page.may() ? button("Roll back", `to generation ${one.number}`, () => rollBack(page, one)) : nothing,
    ]),
  },
];

const refusal = refused => html`<section class="notice bad" aria-label="Refusals">
  <p>${state("bad", "refused")} The files that were read at ${clock(refused.when)} are not valid. The previous generation stays in force.</p>
  <ul>${refused.faults.map(fault => html`<li><code>${fault}</code></li>`)}</ul>
</section>`;

const pin = running => html`<section class="notice" aria-label="Rollback">
  <p>${state("warn", "pinned")} An operator has rolled back${running === undefined ? "" : `; generation ${running.number} is in force`}.
    Changes of files are not applied until a reload.</p>
</section>`;

const keys = [
  { title: "Key", cell: change => html`<code>${change.key}</code>` },
  { title: "Before", cell: change => (change.from === undefined ? html`<i>absent</i>` : html`<code class="minus">− ${change.from}</code>`) },
  { title: "Now", cell: change => (change.to === undefined ? html`<i>absent</i>` : html`<code class="plus">+ ${change.to}</code>`) },
];

const line = text => html`<span class=${text.startsWith("+") ? "plus" : text.startsWith("-") ? "minus" : nothing}>${text}\n</span>`;

function shown({ from, to, config, files, certificates, secrets }) {
  const same = config.length === 0 && files.length === 0 && !certificates && secrets.length === 0;
  return html`<section id="difference" tabindex="-1" aria-label="Difference">
    <h2>From generation ${from} to ${to}</h2>
    ${same ? html`<p class="empty">No difference: the same files, built again.</p>` : nothing}
    ${certificates ? html`<p>The files of certificates, keys, tokens or address lists differ.</p>` : nothing}
    ${secrets.map(name => html`<p>The secret of <code>${name}</code> differs.</p>`)}
    ${config.length === 0 ? nothing : table("Configuration", keys, config)}
    ${files.map(file => html`<h3><code>${file.path}</code> ${file.change}</h3>
      <pre tabindex="0" aria-label=${file.path}>${file.lines.map(line)}</pre>`)}
  </section>`;
}

export default {
  id: "generations",
  title: "Generations",
  paths: () => ["generations"],
  draw(page) {
    const all = page.seen("generations");
    if (all === undefined) {
      return missing(page, "generations");
    }
    const running = all.kept.find(one => one.running);
    return html`${all.pinned ? pin(running) : nothing}
      ${all.refused ? refusal(all.refused) : nothing}
      ${table("Generations for a rollback", columns(page, running), all.kept)}
      ${page.may() ? html`<p class="actions">${button("Reload", "the files", () => reload(page))}</p>` : spectator(page)}
      ${difference === null ? nothing : shown(difference)}`;
  },
};
