// The rollout of a candidate beside the stable generation: its step, the verdict and its numbers, and the operations on it.

import { html, nothing } from "../lib/lit-html.js";
import { clock, count, left, millis, moment, NONE, since } from "../format.js";
import { bar, button, card, folded, missing, spectator, state, table } from "../parts.js";
import { comparison, routes } from "../sides.js";

const KINDS = {
  running: "good",
  paused: "warn",
  promoting: "good",
  promoted: "good",
  aborted: "bad",
  superseded: "off",
};
const VERDICTS = { promote: "good", hold: "none", abort: "bad" };
const SEVERITY = { abort: 0, hold: 1, promote: 2 };

const runs = rollout => ["running", "paused", "promoting"].includes(rollout.state);

/** `10%` as `10 %`. */
const share = text => text.replace("%", " %");

// ---- operations

function operation(page, rollout, action, deed) {
  const { candidate } = rollout;
  return page.act({
    path: "rollout",
    parameters: () => ({ action }),
    outdated() {
      const now = page.seen("rollout");
      return now.candidate === candidate && runs(now) ? undefined : `the rollout of generation ${candidate} has ended.`;
    },
    ...deed,
  });
}

const pause = (page, rollout) => operation(page, rollout, "pause", {
  title: `Pause the rollout of generation ${rollout.candidate}?`,
  text: "The share of the candidate stays as it is until the rollout is resumed. The judge may still abort the rollout.",
  action: "Pause the rollout",
  done: `The rollout of generation ${rollout.candidate} is paused.`,
});

const resume = (page, rollout) => operation(page, rollout, "resume", {
  title: `Resume the rollout of generation ${rollout.candidate}?`,
  text: "The share of the candidate grows again, by the verdict of the judge.",
  action: "Resume the rollout",
  done: `The rollout of generation ${rollout.candidate} continues.`,
});

const promote = (page, rollout) => operation(page, rollout, "promote", {
  title: `Promote generation ${rollout.candidate} now?`,
  text: `The candidate replaces generation ${rollout.stable} for all later exchanges, regardless of the verdict. The latest verdict is ${rollout.verdict ?? "hold"}.`,
  action: "Promote",
  danger: rollout.verdict !== "promote",
  done: `Generation ${rollout.candidate} is the stable generation.`,
});

const abort = (page, rollout) => operation(page, rollout, "abort", {
  title: `Abort the rollout of generation ${rollout.candidate}?`,
  text: `Generation ${rollout.stable} serves all later exchanges; exchanges in progress finish with the candidate. The changed files are not tried again until one of them changes or a reload is requested.`,
  action: "Abort the rollout",
  danger: true,
  done: `The rollout of generation ${rollout.candidate} is aborted.`,
});

const set = (page, rollout) => operation(page, rollout, "set", {
  title: `Share of generation ${rollout.candidate}`,
  text: "The candidate gets this share of the exchanges at once, and its figures start from zero. The next step is the next larger share.",
  action: "Set the share",
  field: { label: "Per cent, more than 0 and less than 100", min: 0.01, max: 99.99, step: "any", value: parseFloat(rollout.share) },
  parameters: percent => ({ action: "set", share: `${percent}%` }),
  done: `The share of generation ${rollout.candidate} is set.`,
});

function operations(page, rollout) {
  if (!page.may()) {
    return spectator(page);
  }
  const about = `generation ${rollout.candidate}`;
  const paused = rollout.state === "paused";
  return html`<p class="actions">
    ${button(paused ? "Resume the rollout" : "Pause the rollout", `of ${about}`, () => (paused ? resume : pause)(page, rollout))}
    ${button("Set the share …", `of ${about}`, () => set(page, rollout))}
    ${button("Promote now …", about, () => promote(page, rollout))}
    ${button("Abort …", `the rollout of ${about}`, () => abort(page, rollout))}
  </p>`;
}

// ---- the state of the rollout

/** The steps, each with its state as a word. An operator may have set a share between two steps. */
function steps(rollout) {
  const kind = index => (index < rollout.step - 1 ? "done" : index === rollout.step - 1 ? "now" : "later");
  const words = (step, i) => (kind(i) === "now" && step !== rollout.share ? `now ${share(rollout.share)}` : kind(i));
  return html`<ol class="steps" aria-label="Steps">${rollout.steps.map((step, i) => html`<li class=${kind(i)}
    aria-current=${kind(i) === "now" ? "step" : nothing}><b>${i === rollout.steps.length - 1 ? "promotion" : share(step)}</b>
    <small>${words(step, i)}</small></li>`)}</ol>`;
}

/** The rest of the hold and its explanation. */
function hold(page, rollout) {
  const rest = rollout.holds_for_ms - page.age("rollout");
  const whole = `of ${left(rollout.hold_ms)}`;
  if (rollout.state === "promoting") {
    return ["over", "the promotion waits for a build of the files"];
  }
  if (rest > 0) {
    return [left(rest), rollout.state === "paused" ? `${whole}; paused, so no step follows` : whole];
  }
  return ["over", rollout.state === "paused" ? "paused, so no step follows" : "the next step waits for the verdict"];
}

function facts(page, rollout) {
  const [rest, why] = hold(page, rollout);
  return html`<dl class="cards">
    ${card("Share of the exchanges", share(rollout.share), html`${bar(parseFloat(rollout.share) / 100)}<small>by ${rollout.by}</small>`)}
    ${card("Step", `${rollout.step} of ${rollout.steps.length}`, html`<small>since ${clock(rollout.step_since)}</small>`)}
    ${card("Hold", rest, html`<small>${why}</small>`)}
    ${card("Verdict", state(VERDICTS[rollout.verdict] ?? "none", rollout.verdict ?? "hold"),
      html`<small>${decisive(rollout)?.text ?? "not enough exchanges to compare"}</small>`)}
  </dl>`;
}

/** The comparison that decides the verdict: the first one in the order of `sorted`. */
const decisive = rollout => sorted(rollout.findings)[0];

/** Sorts comparisons: first those that abort the rollout, then those that are the farthest from a promotion. */
const sorted = findings => [...findings].sort((a, b) => SEVERITY[a.verdict] - SEVERITY[b.verdict]
  || a.harmless / (a.harmless_at || 1) - b.harmless / (b.harmless_at || 1));

const OUTCOMES = {
  promoted: one => `Generation ${one.candidate} is the stable generation, in place of generation ${one.stable}.`,
  aborted: one => (one.candidate === undefined
    ? "The candidate was withdrawn before the restart of the gateway."
    : `Generation ${one.candidate} was withdrawn. Generation ${one.stable} serves all exchanges.`),
  superseded: one => `A newer change took the place of generation ${one.candidate}.`,
};

const outcome = rollout => html`
  <p class="verdict">${state(KINDS[rollout.state] ?? "none", rollout.state)} ${OUTCOMES[rollout.state]?.(rollout) ?? ""}</p>
  <div>${folded(rollout.reason)}</div>`;

const running = (page, rollout) => html`
  <p class="verdict">${state(KINDS[rollout.state], rollout.state)} Generation ${rollout.candidate} gets ${share(rollout.share)}
    of the exchanges. Generation ${rollout.stable} serves the rest.</p>
  <p class="words">Begun ${since(rollout.since)} ago: ${rollout.why}</p>
  ${operations(page, rollout)}
  ${steps(rollout)}
  ${facts(page, rollout)}`;

// ---- the verdict

/** Evidence as a part of what the verdict needs. */
function evidence(has, at) {
  const some = Math.max(0, has);
  return at > 0 ? html`${some.toFixed(1)} of ${at.toFixed(1)} ${bar(Math.min(1, some / at))}` : NONE;
}

const compared = side => (side.exchanges === 0 ? NONE : html`${side.percent.toFixed(2)} % <small>of ${count(side.exchanges)}</small>`);

const findings = [
  { title: "Figure", cell: one => html`${one.metric} <code>${one.part ?? ""}</code>` },
  { title: "Route", cell: one => one.route ?? "all" },
  { title: "Verdict", cell: one => state(VERDICTS[one.verdict] ?? "none", one.verdict) },
  { title: "Stable", figure: true, cell: one => compared(one.stable) },
  { title: "Candidate", figure: true, cell: one => compared(one.candidate) },
  { title: "Evidence of harm, to abort", figure: true, cell: one => evidence(one.worse, one.worse_at) },
  { title: "Evidence of no harm, to promote", figure: true, cell: one => evidence(one.harmless, one.harmless_at) },
];

const events = [
  { title: "Time", cell: one => html`<span class="moment">${moment(one.when)}</span>` },
  { title: "Generation", figure: true, cell: one => one.candidate },
  { title: "Event", cell: one => one.event },
  { title: "Text", cell: one => folded(one.text) },
];

const empty = page => html`
  <p class="verdict">${state("none", "no rollout")} No candidate has existed since the start.</p>
  <p>With a <code>rollout</code> section in the configuration, the next accepted change becomes a candidate: the candidate gets a small share of
    the exchanges first, and this view compares it with the stable generation.</p>
  ${spectator(page)}`;

export default {
  id: "rollout",
  title: "Rollout",
  paths: () => ["rollout"],
  ticks: page => page.seen("rollout")?.holds_for_ms > 0,
  draw(page) {
    const rollout = page.seen("rollout");
    if (rollout === undefined) {
      return missing(page, "rollout");
    }
    if (rollout.state === "none") {
      return empty(page);
    }
    return html`
      ${runs(rollout) ? running(page, rollout) : outcome(rollout)}
      ${rollout.figures ? [comparison(rollout.figures), routes(rollout.figures)] : nothing}
      ${rollout.candidate === undefined ? nothing : table("Verdict: comparisons of the exchanges of this step", findings, sorted(rollout.findings), {
        empty: "nothing to compare yet: both generations need exchanges",
      })}
      ${table("Changes of the state, newest first", events, rollout.events, { empty: "none since the start" })}`;
  },
};
