// Figures with a state, marked the same way in every view.

import { html, nothing } from "./lib/lit-html.js";
import { count, many, millis, NONE, percent } from "./format.js";
import { state } from "./parts.js";

export const UNROUTED = "-"; // the id of requests without a route
export const MANY = 0.05; // the least share of errors that is severe
export const LATE_MS = 50; // an event loop with a larger lag is late
export const SOON_DAYS = 14; // a certificate with fewer days left expires soon
export const FULL = 0.9; // a listener with this share of its connections is nearly full

const FEW = 0.001; // the least share of errors that is marked

/** The name of a route. */
export const routeName = route => (route.id === UNROUTED ? "no route matched" : route.id);

/** The method and path of a recorded exchange; an exchange may have received no request. */
export const requestOf = one => (one.method ? `${one.method} ${one.path}` : "no request");

/** The share of errors; undefined without requests. @param one has `rate` and `error_rate` */
export const errorShare = one => (one.rate > 0 ? one.error_rate / one.rate : undefined);

/** The share of errors, as text. */
export function errors(one) {
  const share = errorShare(one);
  if (share === undefined) {
    return NONE;
  }
  return share < FEW ? percent(share) : state(share < MANY ? "warn" : "bad", percent(share));
}

/** The lag of an event loop. */
export function lag(loop) {
  if (loop.silent) {
    return state("bad", "silent");
  }
  const ms = loop.lag_us / 1000;
  return ms > LATE_MS ? state("warn", millis(ms)) : millis(ms);
}

/** How long a certificate is valid. */
export function validity(certificate) {
  if (certificate.days_left < 0) {
    return state("bad", "expired");
  }
  const left = `${many(certificate.days_left, "day")} left`;
  return certificate.days_left < SOON_DAYS ? state("warn", left) : left;
}

/** Connections of a listener. */
export function connections({ connections: { open, most } }) {
  const share = most > 0 ? open / most : 0;
  return share < FULL ? count(open) : state(share < 1 ? "warn" : "bad", count(open));
}

/** The breakers of an upstream that are not closed, as text; nothing if all breakers are closed. @param all every breaker */
export function circuit(all, upstream) {
  const own = all.filter(one => one.upstream === upstream);
  const open = own.filter(one => one.position !== "closed");
  if (open.length === 0) {
    return nothing;
  }
  const position = open.some(one => one.position === "open") ? "open" : "half-open";
  const which = own.length === 1 ? `circuit ${position}` : `${open.length} of ${own.length} circuits ${position}`;
  return html` ${state(position === "open" ? "bad" : "warn", which)}`;
}
