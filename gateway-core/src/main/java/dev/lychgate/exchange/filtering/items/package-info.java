/**
 * Transforms that split a body into lines, events, JSON values and parts for filters, and join the results. They enter by
 * {@link dev.lychgate.exchange.filtering.items.ItemBodies}.
 */
@NullMarked
package dev.lychgate.exchange.filtering.items;

import org.jspecify.annotations.NullMarked;
