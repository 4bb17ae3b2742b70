/**
 * Runs filters over one exchange. The exchange uses the interface {@link dev.lychgate.exchange.filtering.Filtering} for
 * bodies and outcomes, both {@linkplain dev.lychgate.exchange.filtering.Filtering#NONE without filters} and
 * {@linkplain dev.lychgate.exchange.filtering.FilteredExchange with filters}. Results are reported to a
 * {@link dev.lychgate.exchange.filtering.FilterHost}. This package depends on neither exchanges nor attempts.
 */
@NullMarked
package dev.lychgate.exchange.filtering;

import org.jspecify.annotations.NullMarked;
