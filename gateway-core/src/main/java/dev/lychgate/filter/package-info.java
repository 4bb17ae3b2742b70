/**
 * The API of filters. A filter receives a {@link dev.lychgate.filter.FilterExchange} and returns a {@link
 * dev.lychgate.filter.FilterOutcome}. Filters process requests before and after routing, responses before they are
 * sent, and failures before the error response is sent. Filters have no access to channels and buffers.
 *
 * <p>The package contains only this API. A test compares the API with a file of signatures and so detects each change.
 * The types that load and order filters are in {@code chain}.
 */
@NullMarked
package dev.lychgate.filter;

import org.jspecify.annotations.NullMarked;
