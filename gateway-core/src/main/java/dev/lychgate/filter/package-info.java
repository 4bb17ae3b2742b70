/**
 * Station <em>filter</em>: changes, answers or refuses. Requests arrive here before they are routed and again when their
 * route is known, answers before they are committed, failures before they are answered; what leaves is a
 * {@link dev.lychgate.filter.FilterOutcome}. The route comes next. A filter sees a
 * {@link dev.lychgate.filter.FilterExchange}, never a channel or a buffer.
 *
 * <p>The types that filters are written against are {@link dev.lychgate.filter.Filter}, its phases and forms, and what they
 * are given; {@link dev.lychgate.filter.FilterSet}, {@link dev.lychgate.filter.FilterChains},
 * {@link dev.lychgate.filter.FilterSlot} and {@link dev.lychgate.filter.FilterStats} are the gateway's own.
 */
@NullMarked
package dev.lychgate.filter;

import org.jspecify.annotations.NullMarked;
