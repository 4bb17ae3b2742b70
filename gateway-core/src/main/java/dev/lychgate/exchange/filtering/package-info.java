/**
 * Runs filters over one exchange. The exchange uses the interface {@link dev.lychgate.exchange.filtering.Filtering} for
 * bodies and outcomes. {@link dev.lychgate.exchange.filtering.Filtering#NONE} implements it for exchanges without
 * filters, and {@link dev.lychgate.exchange.filtering.FilteredExchange} for exchanges with filters. A {@link
 * dev.lychgate.exchange.filtering.FilterHost} receives the results. This package depends on neither exchanges nor
 * attempts.
 */
@NullMarked
package dev.lychgate.exchange.filtering;

import org.jspecify.annotations.NullMarked;
