/**
 * Which route matches. What arrives is a {@link dev.lychgate.http.RequestHead} whose path is in its normal form, after
 * the global inbound filters had their say; what leaves is one {@link dev.lychgate.route.Route}, or none (answered 404).
 * Next come the route's own filters, and then its action: the upstream, a redirect, a fixed answer.
 *
 * <p>A {@link dev.lychgate.route.RouteTable} is built whole from configuration, is immutable, and is shared by all event
 * loops. Nothing here knows a channel.
 */
@NullMarked
package dev.lychgate.route;

import org.jspecify.annotations.NullMarked;
