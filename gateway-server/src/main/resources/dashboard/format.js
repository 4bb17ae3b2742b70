// Formats of figures.

export const NONE = "–";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** A count: 12,345, or 1.23M from a million on. */
export function count(n) {
  if (n === undefined || n === null) {
    return NONE;
  }
  return Math.abs(n) < 1e6 ? whole.format(n) : compact.format(n);
}

/** A rate per second. */
export function rate(n) {
  if (n === undefined || n === null) {
    return NONE;
  }
  return n > 0 && n < 10 ? n.toFixed(1) : count(n);
}

/** A number with its noun: 1 listener, 2 listeners. */
export const many = (n, thing) => `${count(n)} ${thing}${n === 1 ? "" : "s"}`;

/** Milliseconds: 4.2 µs, 9.8 ms, 120 ms, 1.20 s. */
export function millis(ms) {
  if (ms === undefined || ms === null) {
    return NONE;
  }
  if (ms === 0) {
    return "0 ms";
  }
  if (ms >= 1000) {
    return `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
  }
  if (ms < 0.1) {
    return `${(ms * 1000).toFixed(ms < 0.01 ? 1 : 0)} µs`;
  }
  return `${ms.toFixed(ms >= 100 ? 0 : ms >= 1 ? 1 : 2)} ms`;
}

/** A share between 0 and 1, in per cent. */
export function percent(share) {
  if (share === undefined || share === null || Number.isNaN(share)) {
    return NONE;
  }
  const p = share * 100;
  if (p > 0 && p < 0.1) {
    return "< 0.1 %";
  }
  return `${p === 0 || p >= 10 ? p.toFixed(0) : p.toFixed(1)} %`;
}

/** The time of day of an instant, in the reader's zone. */
export function clock(instant) {
  const time = new Date(instant);
  return Number.isNaN(time.getTime()) ? NONE : time.toLocaleTimeString("en-GB");
}

/** The date and the time of day of an instant, in the reader's zone. */
export function moment(instant) {
  const time = new Date(instant);
  return Number.isNaN(time.getTime()) ? NONE : `${time.toLocaleDateString("en-CA")} ${time.toLocaleTimeString("en-GB")}`;
}

/** The rest of a time: 8 s, 4 min 5 s, 2 h 30 min. */
export function left(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) {
    return `${seconds} s`;
  }
  const two = (large, small) => (small === "" ? large : `${large} ${small}`);
  return minutes < 60
    ? two(`${minutes} min`, seconds % 60 > 0 ? `${seconds % 60} s` : "")
    : two(`${Math.floor(minutes / 60)} h`, minutes % 60 > 0 ? `${minutes % 60} min` : "");
}

/** The duration of a state. */
export function since(instant) {
  const seconds = Math.max(0, Math.round((Date.now() - new Date(instant)) / 1000));
  if (seconds < 90) {
    return `${seconds} s`;
  }
  if (seconds < 5400) {
    return `${Math.round(seconds / 60)} min`;
  }
  return seconds < 129600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86400)} days`;
}

/** Bytes: 512 B, 51.2 kB, 1.3 MB. */
export function bytes(n) {
  if (n < 10000) {
    return `${count(n)} B`;
  }
  return n < 1e6 ? `${(n / 1000).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`;
}
