/**
 * Station <em>upstream</em>: a route has named an upstream; here one of its endpoints is chosen. What arrives is a
 * request head, what leaves is an {@link dev.lychgate.upstream.Endpoint}; the pool comes next.
 *
 * <p>The way of a choice: what is known of each endpoint ({@link dev.lychgate.upstream.UpstreamState}, one per process)
 * comes to an {@link dev.lychgate.upstream.EndpointSet}, which every {@link dev.lychgate.upstream.LoadBalancer} (one per
 * event loop) lets its algorithm choose from. One algorithm per file, each counting per event loop; none sees a channel.
 * {@link dev.lychgate.upstream.Persistence} may know better than the algorithm, where a client is bound to an endpoint.
 */
@NullMarked
package dev.lychgate.upstream;

import org.jspecify.annotations.NullMarked;
