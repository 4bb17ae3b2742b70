/**
 * The HTTP cache: rules of RFC 9111 as pure classes, and stored responses in memory that all event loops share.
 *
 * <p>A {@link dev.lychgate.cache.CacheLookup} enters with the request after its inbound filters. It finds a stored response that may
 * be sent, or it continues with the request to the origin and decides how the response of the origin is used. The classes of this
 * package never see the exchange; package {@code exchange} sends, relays and stores.
 */
@NullMarked
package dev.lychgate.cache;

import org.jspecify.annotations.NullMarked;
