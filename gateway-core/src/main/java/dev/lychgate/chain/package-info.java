/**
 * The filters of one generation in their order: a {@link dev.lychgate.chain.FilterSet} enters, {@link
 * dev.lychgate.chain.FilterChains} leave, which {@code exchange} runs. A {@link dev.lychgate.chain.FilterSlot} is one filter
 * with its settings, its counters and whether it is ejected. Filters are written against {@code filter} alone and see
 * nothing of this.
 */
@NullMarked
package dev.lychgate.chain;

import org.jspecify.annotations.NullMarked;
