/**
 * Stage <em>route</em>: matches requests. Input: a {@link dev.lychgate.http.RequestHead} with a normalized path, after
 * the global inbound filters. Output: one {@link dev.lychgate.route.Route}, or no route (404). The next stages are the
 * filters of the route and then its action: an upstream, a redirect or a fixed response.
 *
 * <p>A {@link dev.lychgate.route.RouteTable} is built as a whole from configuration, immutable, and shared by all event
 * loops. This package does not depend on channels.
 */
@NullMarked
package dev.lychgate.route;

import org.jspecify.annotations.NullMarked;
