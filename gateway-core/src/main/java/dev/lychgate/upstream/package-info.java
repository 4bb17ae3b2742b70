/**
 * Stage <em>upstream</em>: selects an endpoint of the route's upstream. Input: a request head; output: an
 * {@link dev.lychgate.upstream.Endpoint}; the pool is the next stage.
 *
 * <p>The state of each endpoint ({@link dev.lychgate.upstream.UpstreamState}, one per process) determines an
 * {@link dev.lychgate.upstream.EndpointSet}. Every {@link dev.lychgate.upstream.LoadBalancer} (one per event loop)
 * selects from that set with its algorithm. Each algorithm has its own file, keeps its counters per event loop, and
 * uses no channel. If a client is bound to an endpoint, {@link dev.lychgate.upstream.Persistence} overrides the
 * algorithm.
 */
@NullMarked
package dev.lychgate.upstream;

import org.jspecify.annotations.NullMarked;
