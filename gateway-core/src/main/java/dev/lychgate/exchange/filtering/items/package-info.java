/**
 * Transforms that split a body into lines, events, JSON values or parts, pass these items to actions of filters, and
 * join the results. {@link dev.lychgate.exchange.filtering.items.ItemBodies} creates the transforms.
 */
@NullMarked
package dev.lychgate.exchange.filtering.items;

import org.jspecify.annotations.NullMarked;
