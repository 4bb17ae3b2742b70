/**
 * The stage of a request that selects an endpoint of the route's upstream. Its input is a request head, and its output
 * is an {@link dev.lychgate.upstream.Endpoint}. The next stage is the connection pool.
 *
 * <p>{@link dev.lychgate.upstream.UpstreamState} contains the states of an upstream's endpoints, for all generations.
 * From these states, an {@link dev.lychgate.upstream.EndpointSet} is computed. Each event loop has a {@link
 * dev.lychgate.upstream.LoadBalancer}, which selects from this set with a balancing algorithm. The algorithms keep
 * their counters per event loop and use no channel. If a client is bound to an endpoint, {@link
 * dev.lychgate.upstream.Persistence} overrides the algorithm.
 */
@NullMarked
package dev.lychgate.upstream;

import org.jspecify.annotations.NullMarked;
