/**
 * Runs filters over one exchange. {@link dev.lychgate.exchange.filtering.Filtering} is the interface for the exchange:
 * bodies and decisions pass through it, with {@linkplain dev.lychgate.exchange.filtering.Filtering#NONE no filters} or with
 * {@linkplain dev.lychgate.exchange.filtering.FilteredExchange active ones}. Results go to a
 * {@link dev.lychgate.exchange.filtering.FilterHost}. This package depends on neither exchanges nor attempts.
 */
@NullMarked
package dev.lychgate.exchange.filtering;

import org.jspecify.annotations.NullMarked;
