/**
 * The ordered filters of one generation. {@link dev.lychgate.chain.FilterChains} are built from a {@link
 * dev.lychgate.chain.FilterSet}; the package {@code exchange} runs these chains. A {@link
 * dev.lychgate.chain.FilterSlot} is one filter with its settings, counters and ejection state. Implementations of
 * filters depend on the package {@code filter} only, not on this package.
 */
@NullMarked
package dev.lychgate.chain;

import org.jspecify.annotations.NullMarked;
