/**
 * The stage of a request that selects an endpoint of the route's upstream. Its input is a request head, and its output
 * is an {@link dev.lychgate.upstream.Endpoint}. The next stage is the connection pool.
 *
 * <p>The states of the endpoints ({@link dev.lychgate.upstream.UpstreamState}, one object per upstream and process)
 * determine an {@link dev.lychgate.upstream.EndpointSet}. Each event loop has a
 * {@link dev.lychgate.upstream.LoadBalancer}, which selects from this set with a balancing algorithm. Each algorithm
 * has a separate file, keeps its counters per event loop, and uses no channel. If a client is bound to an endpoint,
 * {@link dev.lychgate.upstream.Persistence} overrides the algorithm.
 */
@NullMarked
package dev.lychgate.upstream;

import org.jspecify.annotations.NullMarked;
