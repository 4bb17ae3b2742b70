/**
 * The ordered filters of one generation. {@link dev.lychgate.chain.FilterChains} are built from a
 * {@link dev.lychgate.chain.FilterSet} and run by {@code exchange}. A {@link dev.lychgate.chain.FilterSlot} is one
 * filter with its settings, counters and ejection state. Filters depend only on the package {@code filter}, not on this
 * one.
 */
@NullMarked
package dev.lychgate.chain;

import org.jspecify.annotations.NullMarked;
