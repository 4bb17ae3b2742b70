// Every problem of the gateway, as far as its pages report it. The lists of `lychgate top` have the same meaning.

import { clock, count, many, millis, percent } from "./format.js";
import { errorShare, FULL, LATE_MS, MANY, routeName, SOON_DAYS } from "./marks.js";
import { link } from "./place.js";
import { effects, starter, where } from "./rehearsal.js";

/** The pages that problems are found in. */
export const PATHS = ["ready", "traffic", "upstreams", "breakers", "loops", "listeners", "losses", "filters", "generations", "mirrors", "faults"];

const HALF = 0.5; // share of an endpoint's attempts from which on their failures are severe

/**
 * @param severity bad or warn, as a state
 * @param what kind of problem @param where name of its owner @param detail amount or reason
 * @param href the place that shows it @param since when it began; undefined if the gateway does not report that
 */
const problem = (severity, what, where, detail, href, since) => ({ severity, what, where, detail, href, since });

function readiness(page) {
  const failure = page.failure("ready");
  return failure?.status === 503
    ? [problem("bad", "Not ready", "gateway", `${failure.message}: /ready responds with 503`, link("traffic"))]
    : [];
}

function generations(page) {
  const all = page.seen("generations");
  if (all === undefined) {
    return [];
  }
  const running = all.kept.find(one => one.running);
  const found = [];
  if (all.refused) {
    const [first, ...further] = all.refused.faults;
    const more = further.length === 0 ? "" : `, and ${many(further.length, "further fault")}`;
    found.push(problem("bad", "Files refused", `generation ${running?.number ?? "before"} still runs`, `${first}${more}`,
      link("generations"), all.refused.when));
  }
  if (all.pinned) {
    found.push(problem("warn", "Rollback pinned", `generation ${running?.number ?? ""}`,
      "changes of files are not applied until a reload", link("generations"), running?.since));
  }
  return [...found, ...rollout(all)];
}

/** A rollout that was aborted, as long as its files are not tried again. */
const rollout = ({ rollout: latest }) => (latest?.state === "aborted"
  ? [problem("warn", "Rollout aborted", latest.candidate === undefined ? "before the restart" : `generation ${latest.candidate}`,
    latest.reason, link("rollout"), latest.events.find(one => one.event === "aborted")?.when)]
  : []);

const WANTED = { "force-open": "held open by an operator", "force-closed": "held closed by an operator" };

const breakers = page => (page.seen("breakers")?.breakers ?? [])
  .filter(one => one.position !== "closed" || one.state !== "auto")
  .map(one => problem(
    one.position === "open" ? "bad" : "warn",
    one.position === "closed" ? "Circuit held closed" : `Circuit ${one.position}`,
    one.endpoint ? `${one.upstream}, ${one.endpoint}` : one.upstream,
    [WANTED[one.state], `${count(one.failures)} of ${count(one.attempts)} attempts failed`, `opened ${many(one.openings, "time")}`]
      .filter(Boolean).join(", "),
    link("breakers", { upstream: one.upstream, endpoint: one.endpoint }),
  ));

/** The faults of an endpoint as kind, severity and reason, the most severe first. */
function faults(endpoint) {
  const share = errorShare(endpoint) ?? 0;
  return [
    endpoint.health === "unhealthy" && ["unhealthy", "bad", endpoint.fault],
    endpoint.ejected && ["ejected", "bad"],
    share >= MANY && ["fails", share < HALF ? "warn" : "bad", `${percent(share)} of its attempts fail`],
    endpoint.admin !== "enabled" && [endpoint.admin, "warn", "by an operator"],
  ].filter(Boolean);
}

function ofEndpoint(upstream, endpoint) {
  const where = `${upstream.name}, ${endpoint.endpoint}`;
  const href = link("topology", { upstream: upstream.name, endpoint: endpoint.endpoint });
  const found = [];
  const [first, ...further] = faults(endpoint);
  if (first !== undefined) {
    const [what, severity, why] = first;
    const words = [why, ...further.map(([kind, , reason]) => (kind === "fails" ? reason : kind)), `share ${percent(endpoint.share)}`];
    found.push(problem(severity, `Endpoint ${what}`, where, words.filter(Boolean).join(", "), href));
  }
  if (endpoint.pending > 0) {
    found.push(problem("warn", "Requests wait for a connection", where,
      `${count(endpoint.pending)} waiting, ${many(endpoint.busy, "connection")} busy`, href));
  }
  return found;
}

const upstreams = page => (page.seen("upstreams")?.upstreams ?? []).flatMap(upstream => {
  const href = link("topology", { upstream: upstream.name });
  return [
    ...(upstream.panic ? [problem("bad", "Upstream panics", upstream.name, "too few endpoints are healthy, so all endpoints are used", href)] : []),
    ...(upstream.names ?? []).filter(one => one.fault)
      .map(one => problem("warn", "DNS lookup failed", `${upstream.name}, ${one.name}`, one.fault, href)),
    ...upstream.endpoints.flatMap(endpoint => ofEndpoint(upstream, endpoint)),
  ];
});

const routes = page => (page.seen("traffic")?.routes ?? [])
  .filter(route => route.error_rate > 0)
  .map(route => problem(
    errorShare(route) < MANY ? "warn" : "bad", "Errors", `route ${routeName(route)}`,
    `${percent(errorShare(route))} of its requests fail`, link("traffic", { route: route.id }),
  ));

const loops = page => (page.seen("loops")?.loops ?? [])
  .filter(loop => loop.silent || loop.lag_us / 1000 > LATE_MS)
  .map(loop => problem(
    loop.silent ? "bad" : "warn", loop.silent ? "Event loop silent" : "Event loop late", `loop ${loop.index}`,
    [loop.silent ? "does not respond" : `lag ${millis(loop.lag_us / 1000)}`, loop.filter && `in filter ${loop.filter}`].filter(Boolean).join(", "),
    link("traffic", { loop: loop.index }),
  ));

const listeners = page => (page.seen("listeners")?.listeners ?? []).flatMap(listener => {
  const { open, most, configured = most } = listener.connections;
  const href = link("traffic", { listener: listener.name });
  return [
    ...(most > 0 && open >= FULL * most
      ? [problem(open < most ? "warn" : "bad", open < most ? "Listener nearly full" : "Listener full", listener.name,
        `${count(open)} of ${count(most)} connections`, href)]
      : []),
    ...(most < configured
      ? [problem("warn", "Connection limit lowered", listener.name,
        `${count(most)} of ${count(configured)} connections, because the limit of open files of the process is too low (ulimit -n)`, href)]
      : []),
    ...(listener.certificates ?? []).filter(one => one.days_left < SOON_DAYS).map(one => problem(
      one.days_left < 0 ? "bad" : "warn", one.days_left < 0 ? "Certificate expired" : "Certificate expires soon",
      `${listener.name}, ${one.name}`, one.days_left < 0 ? `on ${one.not_after}` : `${many(one.days_left, "day")} left`, href)),
  ];
});

const LOST = { memory: "Out of memory", log: "Log incomplete", receiver: "Receiver fails" };

const losses = page => (page.seen("losses")?.losses ?? [])
  .filter(one => one.recent > 0)
  .map(one => problem(
    one.kind === "memory" ? "bad" : "warn", LOST[one.kind], `${one.name}, ${one.metric}`,
    `${count(one.recent)} in the last minute, ${count(one.total)} since the start`, link("traffic", { loss: one.metric, of: one.name }),
  ));

function filters(page) {
  const { filters: all = [], ignored = [] } = page.seen("filters") ?? {};
  return [
    ...all.filter(one => one.ejected || one.disabled).map(one => problem(
      one.disabled ? "warn" : "bad", one.disabled ? "Filter disabled" : "Filter ejected", one.name,
      one.disabled ? "by an operator" : `${many(one.strikes, "strike")}, ${one.on_failure}`,
      link("filters", { phase: one.phase, name: one.name }))),
    ...ignored.map(one => problem("warn", "Filter file not used", one.file, one.reason, link("filters", { file: one.file }))),
  ];
}

const mirrors = page => (page.seen("mirrors")?.mirrors ?? [])
  .filter(mirror => mirror.differences.length > 0)
  .map(mirror => problem("warn", "Mirror differs", `route ${mirror.route} to ${mirror.upstream}`,
    `${many(mirror.differences.length, "group")} of differences, most often ${mirror.differences[0].kind} ${mirror.differences[0].subject}`,
    link("mirrors", { route: mirror.route, upstream: mirror.upstream })));

const injected = page => (page.seen("faults")?.faults ?? [])
  .map(fault => problem("warn", "Fault injected", fault.name,
    `${effects(fault)} for ${fault.share} of ${where(fault)}, by ${starter(fault)}, until ${clock(fault.until)}`,
    link("faults", { name: fault.name })));

/** A gateway that follows no files has no generations to report. */
const isAbsent = (path, failure) => path === "generations" && failure.status === 503;

/** Pages that could not be read, because their problems are unknown. The page `ready` has a separate entry. */
const unread = page => PATHS
  .map(path => [path, page.failure(path)])
  .filter(([path, failure]) => failure !== undefined && path !== "ready" && !isAbsent(path, failure))
  .map(([path, failure]) => problem("warn", "Page not readable", `/${path}`, failure.message, link("overview")));

const FINDERS = [readiness, generations, upstreams, breakers, routes, loops, listeners, losses, filters, mirrors, injected, unread];

/** The problems of the latest round. */
export class Problems {
  #begun = new Map();
  #looked = false;
  #all = [];

  /** The problems of the latest round, severe ones first. Each has `severity`, `what`, `where`, `detail`, `href` and `since`. */
  get all() {
    return this.#all;
  }

  /** Whether every page that problems are found in has been read. */
  isKnown(page) {
    return PATHS.every(path => page.seen(path) !== undefined || page.failure(path) !== undefined);
  }

  /** Finds problems after a round. If the gateway reports no start, `since` is the first time on this page. */
  look(page) {
    const now = Date.now();
    const begun = new Map();
    this.#all = FINDERS.flatMap(find => find(page))
      .sort((a, b) => (a.severity === "warn") - (b.severity === "warn"))
      .map(one => {
        const key = `${one.what}\n${one.where}`;
        const seen = this.#begun.get(key) ?? { at: now, atLeast: !this.#looked };
        begun.set(key, seen);
        return { ...one, begun: one.since === undefined ? seen : { at: Date.parse(one.since), atLeast: false } };
      });
    this.#begun = begun;
    this.#looked ||= this.isKnown(page);
  }
}

/** The start of a problem, as the text of its tooltip. */
export const beginning = ({ begun }) => (begun.atLeast ? `before ${clock(begun.at)}` : `at ${clock(begun.at)}`);
