// The place that the URL names behind its #: a view, one item of it, and how the view is sorted and filtered.
// So a view can be bookmarked, shared, and left with the browser's back button.

import { withQuery } from "./api.js";

/**
 * Returns the URL of a place.
 *
 * @param parameters the highlighted row, order and filter; undefined and empty ones are left out
 * @param item the opened item, in views that open single items
 */
export function link(view, parameters = {}, item = "") {
  return `#${withQuery(item === "" ? view : `${view}/${encodeURIComponent(item)}`, parameters)}`;
}

/** Reads a hash. @returns `view`, `item` (empty if there is none), and `parameters`, a Map */
export function placeOf(hash) {
  const [path, ...query] = hash.slice(1).split("?");
  const [view, ...item] = path.split("/");
  const pairs = query.join("?").split("&").filter(pair => pair !== "").map(pair => {
    const [name, ...value] = pair.split("=");
    return [decoded(name), decoded(value.join("="))];
  });
  return { view, item: decoded(item.join("/")), parameters: new Map(pairs) };
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // typed by hand, with a % that is no escape
  }
}
