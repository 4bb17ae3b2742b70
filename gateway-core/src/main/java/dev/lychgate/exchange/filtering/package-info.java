/**
 * Runs filters over one exchange. {@link dev.lychgate.exchange.filtering.Filtering} is what the rest of an exchange sees: bodies
 * and decisions pass through it, with {@linkplain dev.lychgate.exchange.filtering.Filtering#NONE no filters} or with a
 * {@linkplain dev.lychgate.exchange.filtering.FilteredExchange run of them}. Results go back through a
 * {@link dev.lychgate.exchange.filtering.FilterHost}; this package knows no exchange and no attempt.
 */
@NullMarked
package dev.lychgate.exchange.filtering;

import org.jspecify.annotations.NullMarked;
