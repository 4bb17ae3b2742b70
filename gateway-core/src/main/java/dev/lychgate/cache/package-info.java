/**
 * The HTTP cache: rules of RFC 9111 as pure classes, and stored responses, which all event loops share in memory.
 *
 * <p>A {@link dev.lychgate.cache.CacheLookup} begins after the inbound filters of a request. It finds a stored response
 * that may be sent; if it finds none, it decides how the response of the origin is used. The classes of this package do
 * not depend on the exchange; the package {@code exchange} calls them, and sends the responses.
 */
@NullMarked
package dev.lychgate.cache;

import org.jspecify.annotations.NullMarked;
