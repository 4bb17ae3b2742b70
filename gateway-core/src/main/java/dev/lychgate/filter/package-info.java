/**
 * Station <em>filter</em>: changes, answers or refuses. Requests arrive here before they are routed and again when their
 * route is known, answers before they are committed, failures before they are answered; what leaves is a
 * {@link dev.lychgate.filter.FilterOutcome}. The route comes next. A filter sees a
 * {@link dev.lychgate.filter.FilterExchange}, never a channel or a buffer.
 *
 * <p>This package is the API of filters and contains nothing else; a test holds it to a file of signatures. The gateway's own
 * types, which keep and order filters, are in {@code chain}.
 */
@NullMarked
package dev.lychgate.filter;

import org.jspecify.annotations.NullMarked;
