/**
 * The API of filters. A filter receives a {@link dev.lychgate.filter.FilterExchange} and returns a
 * {@link dev.lychgate.filter.FilterOutcome}: requests before and after routing, responses before they are sent, failures before
 * their error responses. It has no access to channels and buffers.
 *
 * <p>The package contains nothing else; a test compares it with a file of signatures. The types that load and order filters are
 * in {@code chain}.
 */
@NullMarked
package dev.lychgate.filter;

import org.jspecify.annotations.NullMarked;
