// Requests to the admin listener. Paths are relative, so that the page also works behind a proxy with a prefix.
// Only this module has the token: it is never part of a URL, and outlives the page only on request.

const KEPT = "lychgate-token";
const PATIENCE = 8000; // ms

let token = sessionStorage.getItem(KEPT);

/** Uses a token from now on. @param keep whether it outlives a reload of the page, until the tab is closed */
export function useToken(value, keep) {
  token = value;
  if (keep) {
    sessionStorage.setItem(KEPT, value);
  } else {
    sessionStorage.removeItem(KEPT);
  }
}

export function forgetToken() {
  useToken(null, false);
}

export const hasToken = () => token !== null;

/** A failed request, with the status of the response (0 without a response) and a message. */
export class Problem extends Error {
  constructor(status, detail, faults = []) {
    super(detail);
    this.status = status;
    this.faults = faults;
  }

  /** Whether the token is missing or wrong. */
  get isStranger() {
    return this.status === 401;
  }

  /** Whether the gateway or the connection to it fails; otherwise the request itself was rejected. */
  get isTrouble() {
    return this.status === 0 || this.status === 429 || this.status === 500 || this.status === 502 || this.status === 504;
  }
}

/** Returns the JSON value of `path`. @throws Problem */
export const get = path => ask("GET", path);

/** Posts an action. @param parameters the parameters of the query; undefined parameters are omitted. @throws Problem */
export function post(path, parameters = {}) {
  return ask("POST", withQuery(path, parameters));
}

/** `path` with a query; a list is a repeated parameter. URLSearchParams is not used, because it encodes a blank as a plus. */
export function withQuery(path, parameters) {
  const query = Object.entries(parameters)
    .flatMap(([name, value]) => [value].flat().map(one => [name, one]))
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

async function ask(method, path) {
  const headers = { accept: "application/json" };
  if (method === "POST") {
    headers["x-lychgate-admin"] = "dashboard";
  }
  if (token !== null) {
    headers.authorization = `Bearer ${token}`;
  }
  let answer;
  let body;
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    answer = await fetch(path, { method, headers, signal, cache: "no-store", redirect: "error" });
    body = await answer.text();
  } catch (failure) {
    throw new Problem(0, failure.name === "TimeoutError" ? "no response within 8 seconds" : "no response");
  }
  const said = parse(body);
  if (!answer.ok || said === null) {
    throw new Problem(answer.ok ? 500 : answer.status, said?.detail ?? `status ${answer.status}`, said?.faults);
  }
  return said;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
