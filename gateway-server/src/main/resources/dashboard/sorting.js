// The order of a table's rows in the place: `sort=p99` is ascending, `sort=-p99` descending.

/**
 * Reads the order.
 *
 * @param columns all columns of the table; a column with `id` and `value` (a number or text of a row) can be sorted by
 * @returns `column` and `descending`; null if the rows stay in their usual order
 */
export function orderOf(place, columns) {
  const asked = place.parameters.get("sort") ?? "";
  const descending = asked.startsWith("-");
  const column = columns.find(one => one.id !== undefined && one.id === asked.slice(descending ? 1 : 0));
  return column === undefined ? null : { column, descending };
}

/** Sorts rows. Equal rows keep their usual order, and rows without a value come last. */
export function sorted(rows, order) {
  if (order === null) {
    return rows;
  }
  const { column, descending } = order;
  const sign = descending ? -1 : 1;
  return rows.map(row => [column.value(row), row])
    .sort(([a], [b]) => (a === undefined) - (b === undefined) || (a === undefined ? 0 : sign * compare(a, b)))
    .map(([, row]) => row);
}

const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b));

/** The next value of `sort` when a heading is pressed: figures, and columns that `descends`, begin with the largest; text begins with A. */
export function pressed(column, order) {
  const descending = order?.column.id === column.id ? !order.descending : column.figure === true || column.descends === true;
  return descending ? `-${column.id}` : column.id;
}
