// The changes that the reader may send. The gateway checks each change; the page only omits changes that the gateway would reject.

const isIn = (names, name) => names.some(known => (known.endsWith("*") ? name.startsWith(known.slice(0, -1)) : known === name));

/** The limits by subject. An operator with labels may change routes of any name. */
const limitsOf = operator => (operator.labels ? { ...operator.limits, routes: ["*"] } : operator.limits);

/**
 * Whether an operator may send a change.
 *
 * @param operator the content of /operator. Whether a route has the labels of an operator is left to the gateway
 * @param named the names of the objects that the request changes, in the members `routes`, `filters` and `upstreams`; a change
 *     without names concerns the whole gateway
 */
export function isAllowed(operator, named = {}) {
  if (!operator.roles.includes("operator")) {
    return false;
  }
  const limits = Object.entries(limitsOf(operator));
  const concerned = limits.filter(([subject]) => named[subject] !== undefined);
  return limits.length === 0 || (concerned.length > 0
    && concerned.every(([subject, names]) => named[subject].length > 0 && named[subject].every(name => isIn(names, name))));
}

/** The reason why an operator may not send a change that concerns the whole gateway. */
export function refusal(operator) {
  if (!operator.roles.includes("operator")) {
    return `Changes require the role operator. The roles of ${operator.name ?? "this client"} are ${operator.roles.join(" and ")}.`;
  }
  const limits = Object.entries(operator.limits).map(([subject, names]) => `the ${subject} ${names.join(", ")}`);
  if (operator.labels) {
    limits.push(`the routes with ${Object.entries(operator.labels).map(([name, value]) => `${name}=${value}`).join(" and ")}`);
  }
  return `This change concerns the whole gateway. Changes of ${operator.name ?? "this client"} are limited to ${limits.join(" and ")}.`;
}
