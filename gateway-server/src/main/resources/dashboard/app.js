// The page around the views: which one is open, what it has been told, and what has been said to the reader.

import { html, nothing, render } from "./lib/lit-html.js";
import { forgetToken, get, hasToken, post, useToken } from "./api.js";
import { clock, count, many, NONE } from "./format.js";
import { History } from "./history.js";
import { state } from "./parts.js";
import { link, placeOf } from "./place.js";
import { Poll } from "./poll.js";
import { PATHS, Problems } from "./problems.js";
import { confirm } from "./question.js";
import breakers from "./views/breakers.js";
import exchanges from "./views/exchanges.js";
import explain from "./views/explain.js";
import filters from "./views/filters.js";
import generations from "./views/generations.js";
import overview from "./views/overview.js";
import topology from "./views/topology.js";
import traffic from "./views/traffic.js";

// A view is an object: `id`, `title`, `paths(page)` it asks for with every look, and `draw(page)`.
const views = [overview, traffic, topology, filters, generations, breakers, exchanges, explain];
const COMMON = ["generation", ...PATHS];
const REVEALED_MS = 8000; // after which the reader has gone on by himself

const answers = new Map();
const failures = new Map();
let view = views[0];
let place = placeOf("");
let revealUntil = 0;
let version; // told once
let trouble = null; // what is wrong with the gateway, or with the way to it
let stranger = false; // whether a token is asked for
let said = null; // the last notice
let spoken = ""; // for screen readers alone

/** What views see of the page. */
const page = {
  history: new History(),
  /** The last answer at a path; undefined while there is none. */
  seen: path => answers.get(path),
  /** Why the last look at a path brought nothing; undefined if it did. */
  failure: path => failures.get(path),
  problems: new Problems(),
  /** What the URL names. */
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
 * Does something after it was confirmed, says what came of it, and looks anew.
 *
 * @param deed what `confirm` asks, `path` and `parameters(answer)` of the POST, `done` to say then, and `refused(problem)`
 *     that may take over if it is refused
 * @returns a promise of what the gateway answered; of null if nothing was done
 */
async function act(deed) {
  const answer = await confirm(deed);
  if (answer === null) {
    return null;
  }
  try {
    const outcome = await post(deed.path, deed.parameters?.(answer));
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

/** Asks for all that the view needs. @returns what is wrong, or null */
async function look() {
  if (stranger || version === undefined) {
    // One at first: a wrong token is to be sent once, as the gateway soon hears nobody who sends many.
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
      failures.delete(path);
      return null;
    } catch (problem) {
      failures.set(path, problem);
      return problem.isTrouble || problem.isStranger ? problem : null;
    }
  }));
  if (answers.has("traffic") && !failures.has("traffic")) {
    page.history.add(answers.get("traffic"));
  }
  // Of a gateway that does not respond, or not to us, nothing new is known.
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
    const again = wait === null ? "" : `, asked again in ${Math.round(wait / 1000)} s`;
    trouble = { since: trouble?.since ?? Date.now(), text: `The gateway can't be asked: ${wrong.message}${again}.` };
  }
  draw();
});

/** Changes parameters of the place and adds no step to the browser's history. Empty parameters are removed. */
function refine(parameters) {
  history.replaceState(null, "", link(view.id, { ...Object.fromEntries(place.parameters), ...parameters }, place.item));
  place = placeOf(location.hash);
  draw();
}

/** Scrolls to what the place names, as soon as it is drawn. */
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

/** How the gateway is, in a word: the number of its problems, which leads to them. */
function standing() {
  if (trouble !== null && (failures.get("ready")?.isTrouble || !page.problems.isKnown(page))) {
    return state("bad", "no answer");
  }
  if (stranger) {
    return state("none", "token needed");
  }
  const { all } = page.problems;
  if (all.length === 0 && !page.problems.isKnown(page)) {
    return state("none", "asking");
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
  </p>
  <p class="tools">
    <button type="button" aria-pressed=${poll.isPaused} @click=${pause}>${poll.isPaused ? "Paused" : "Pause"}</button>
    ${hasToken() && !stranger ? html`<button type="button" @click=${leave}>Forget the token</button>` : nothing}
  </p>
  <nav aria-label="Views"><ul>
    ${views.map(one => html`<li>
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
  location.reload(); // with all that was told to whoever had it
}

function enter(event) {
  event.preventDefault();
  const form = event.target;
  useToken(form.elements.token.value.trim(), form.elements.keep.checked);
  form.reset();
  page.look();
}

const door = () => html`<form class="door" @submit=${enter}>
  <h1>Who is there?</h1>
  <p role="alert">${hasToken() ? "The gateway does not know this token." : "This gateway asks for the token of its admin listener."}</p>
  <label>Token <input name="token" type="password" required autocomplete="off" spellcheck="false"></label>
  <label class="choice"><input name="keep" type="checkbox"> Keep it until this tab is closed</label>
  <p class="actions"><button type="submit" class="main">Enter</button></p>
</form>`;

const notices = () => html`
  <div role="alert">${trouble === null ? nothing : html`<p class="notice bad">
    ${trouble.text} What is shown is of ${clock(trouble.since)} or before.</p>`}</div>
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

addEventListener("hashchange", open);
open();
