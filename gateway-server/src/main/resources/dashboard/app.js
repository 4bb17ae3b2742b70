// The page around the views: the open view, its data, and the notices for the reader.

import { html, nothing, render } from "./lib/lit-html.js";
import { forgetToken, get, hasToken, post, useToken } from "./api.js";
import { clock, count, many, NONE } from "./format.js";
import { isAllowed } from "./operator.js";
import { state } from "./parts.js";
import { link, placeOf } from "./place.js";
import { Poll } from "./poll.js";
import { PATHS, Problems } from "./problems.js";
import { confirm } from "./question.js";
import { Rates } from "./rates.js";
import breakers from "./views/breakers.js";
import changes from "./views/changes.js";
import exchanges from "./views/exchanges.js";
import explain from "./views/explain.js";
import faults from "./views/faults.js";
import filters from "./views/filters.js";
import fleet from "./views/fleet.js";
import generations from "./views/generations.js";
import limits from "./views/limits.js";
import mirrors from "./views/mirrors.js";
import overview from "./views/overview.js";
import rollout from "./views/rollout.js";
import topology from "./views/topology.js";
import traffic from "./views/traffic.js";

// A view is an object: `id`, `title`, `paths(page)` that it reads in every round, `draw(page)`, `ticks(page)`: whether it shows
// a countdown, and `isShown(page)`: whether the list of views has it; always if it has no such function.
const views = [overview, traffic, topology, filters, generations, rollout, fleet, mirrors, limits, faults, changes, breakers, exchanges, explain];
const COMMON = ["generation", "operator", ...PATHS];
const REVEALED_MS = 8000; // the reader has scrolled on by then
const TICK_MS = 1000;

const answers = new Map();
const failures = new Map();
const readAt = new Map(); // ms of the page's clock, by path
let actedAt = -Infinity; // ms of the page's clock
let view = views[0];
let place = placeOf("");
let revealUntil = 0;
let version; // read once
let trouble = null; // the failure of the gateway, or of the connection to it
let stranger = false; // whether a token is required
let said = null; // the last notice
let spoken = ""; // only for screen readers

/** The interface of the page for views. */
const page = {
  rates: new Rates(),
  /** The last response of a path; undefined while there is none. */
  seen: path => answers.get(path),
  /** The ms since the last response of a path arrived; infinite while there is none. */
  age: path => performance.now() - (readAt.get(path) ?? -Infinity),
  /** The failure of the last request to a path; undefined if it succeeded. */
  failure: path => failures.get(path),
  /** The ms since the reader's last action; infinite without one. */
  sinceAction: () => performance.now() - actedAt,
  problems: new Problems(),
  /** Whether the reader may send a change, with the names that `isAllowed` describes. False until the roles of the reader are known. */
  may(named) {
    const operator = answers.get("operator");
    return operator === undefined ? failures.has("operator") : isAllowed(operator, named);
  },
  /** The place in the URL. */
  get place() {
    return place;
  },
  refine,
  draw,
  look: () => poll.now(true),
  notice,
  act,
};

function notice(text, bad = false, faults = []) {
  said = { text, bad, faults };
  draw();
}

/**
 * Runs an action after a confirmation, reports its result, and reads the pages again.
 *
 * @param deed the parameters of `confirm`, `path` and `parameters(answer)` of the POST, the notice `done`, `refused(problem)`
 *     that may handle a rejection, and `outdated()`: the reason why the confirmed action no longer fits, or nothing
 * @returns a promise of the gateway's response; of null without an action
 */
async function act(deed) {
  const answer = await confirm(deed);
  if (answer === null) {
    return null;
  }
  const outdated = deed.outdated?.();
  if (outdated) {
    notice(`Not done: ${outdated}`, true);
    return null;
  }
  try {
    const outcome = await post(deed.path, deed.parameters?.(answer));
    actedAt = performance.now();
    notice(deed.done);
    return outcome;
  } catch (problem) {
    stranger ||= problem.isStranger;
    if (!deed.refused?.(problem)) {
      notice(`Not done: ${problem.message}`, true, problem.faults);
    }
    return null;
  } finally {
    poll.now(true);
  }
}

/** Reads all paths of the view. @returns the problem, or null */
async function look() {
  if (stranger || version === undefined) {
    // One path first: a wrong token is sent once, because the gateway delays clients that send many.
    try {
      version = await get("version");
    } catch (problem) {
      if (problem.isTrouble || problem.isStranger) {
        return problem;
      }
    }
  }
  const wanted = [...new Set([...COMMON, ...view.paths(page)])];
  const wrong = await Promise.all(wanted.map(async path => {
    try {
      answers.set(path, await get(path));
      readAt.set(path, performance.now());
      failures.delete(path);
      return null;
    } catch (problem) {
      failures.set(path, problem);
      return problem.isTrouble || problem.isStranger ? problem : null;
    }
  }));
  if (answers.has("traffic") && !failures.has("traffic")) {
    page.rates.add(answers.get("traffic"));
  }
  // The data of a gateway that does not respond, or rejects this page, is outdated.
  if (!failures.get("ready")?.isTrouble && !wrong.some(problem => problem?.isStranger)) {
    page.problems.look(page);
  }
  return wrong.find(problem => problem?.isStranger) ?? wrong.find(problem => problem !== null) ?? null;
}

const poll = new Poll(look, (wrong, wait) => {
  stranger = wrong !== null && (wrong.isStranger || stranger);
  if (wrong === null || wrong.isStranger) {
    trouble = null;
  } else {
    const again = wait === null ? "" : `, next attempt in ${Math.round(wait / 1000)} s`;
    trouble = { since: trouble?.since ?? Date.now(), text: `The gateway can't be read: ${wrong.message}${again}.` };
  }
  draw();
});

/** Changes parameters of the place and adds no step to the browser's history. Empty parameters are removed. */
function refine(parameters) {
  history.replaceState(null, "", link(view.id, { ...Object.fromEntries(place.parameters), ...parameters }, place.item));
  place = placeOf(location.hash);
  draw();
}

/** Scrolls to the row of the place, as soon as it is drawn. */
function reveal() {
  const named = Date.now() < revealUntil ? document.querySelector("main [aria-current=true]") : null;
  if (named !== null) {
    revealUntil = 0;
    named.focus({ preventScroll: true });
    named.scrollIntoView({ block: named.offsetHeight < innerHeight ? "center" : "start" });
  }
}

function open() {
  place = placeOf(location.hash);
  revealUntil = Date.now() + REVEALED_MS;
  const next = views.find(one => one.id === place.view) ?? views[0];
  if (next !== view) {
    view = next;
    said = null;
    spoken = `${view.title} view`;
  }
  document.title = `${view.title} · Lychgate`;
  draw();
  poll.now(true);
}

/** The state of the gateway in a word: the number of its problems, with a link to them. */
function standing() {
  if (trouble !== null && (failures.get("ready")?.isTrouble || !page.problems.isKnown(page))) {
    return state("bad", "no response");
  }
  if (stranger) {
    return state("none", "token needed");
  }
  const { all } = page.problems;
  if (all.length === 0 && !page.problems.isKnown(page)) {
    return state("none", "reading");
  }
  const ready = failures.get("ready")?.status === 503 ? "not ready, " : "";
  return html`<a href=${link("overview")}>${all.length === 0
    ? state("good", "ready")
    : state(all[0].severity, `${ready}${many(all.length, "problem")}`)}</a>`;
}

const header = () => html`<header>
  <button type="button" class="skip" @click=${() => document.querySelector("main").focus()}>Skip to the view</button>
  <p class="brand"><img src="dashboard/icon.svg" alt="" width="28" height="28"> Lychgate</p>
  <p class="facts" id="facts">
    ${standing()}
    <span>generation <b>${count(answers.get("generation")?.number)}</b></span>
    <span>version <b>${version?.gateway ?? NONE}</b></span>
    ${answers.get("operator")?.name === undefined ? nothing : html`<span>operator <b>${answers.get("operator").name}</b></span>`}
  </p>
  <p class="tools">
    <button type="button" aria-pressed=${poll.isPaused} @click=${pause}>${poll.isPaused ? "Paused" : "Pause"}</button>
    ${hasToken() && !stranger ? html`<button type="button" @click=${leave}>Forget the token</button>` : nothing}
  </p>
  <nav aria-label="Views"><ul>
    ${views.filter(one => one.isShown?.(page) ?? true).map(one => html`<li>
      <a href="#${one.id}" data-title=${one.title} aria-current=${one === view ? "page" : nothing}>${one.title}</a>
    </li>`)}
  </ul></nav>
</header>`;

function pause() {
  poll.pause(!poll.isPaused);
  draw();
}

function leave() {
  forgetToken();
  location.reload(); // discards all data that was read with it
}

function enter(event) {
  event.preventDefault();
  const form = event.target;
  useToken(form.elements.token.value.trim(), form.elements.keep.checked);
  form.reset();
  page.look();
}

const door = () => html`<form class="door" @submit=${enter}>
  <h1>Sign in</h1>
  <p role="alert">${hasToken() ? "The gateway does not accept this token." : "This gateway requires the token of its admin listener."}</p>
  <label>Token <input name="token" type="password" required autocomplete="off" spellcheck="false"></label>
  <label class="choice"><input name="keep" type="checkbox"> Keep the token until this tab is closed</label>
  <p class="actions"><button type="submit" class="main">Enter</button></p>
</form>`;

const notices = () => html`
  <div role="alert">${trouble === null ? nothing : html`<p class="notice bad">
    ${trouble.text} The data is from ${clock(trouble.since)} or before.</p>`}</div>
  <div role="status">${said === null ? nothing : html`<div class="notice ${said.bad ? "bad" : "good"}">
    <p>${said.text}</p>
    ${said.faults.length > 0 ? html`<ul>${said.faults.map(fault => html`<li><code>${fault}</code></li>`)}</ul>` : nothing}
    <button type="button" @click=${() => { said = null; draw(); }}>Close</button></div>`}</div>
  <p class="unseen" role="status">${spoken}</p>`;

function draw() {
  const main = stranger ? door() : html`<h1>${view.title}</h1>${view.draw(page)}`;
  render(html`${header()}<main tabindex="-1">${notices()}${main}</main>`, document.querySelector("#app"));
  reveal();
}

/** Draws countdowns between the rounds. */
function tick() {
  if (!document.hidden && !poll.isPaused && !stranger && trouble === null && view.ticks?.(page)) {
    draw();
  }
}

addEventListener("hashchange", open);
open();
setInterval(tick, TICK_MS);
