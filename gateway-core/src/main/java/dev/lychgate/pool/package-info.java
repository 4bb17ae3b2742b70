/**
 * Station <em>pool</em>: an endpoint has been chosen; here a connection to it is borrowed. What arrives is an endpoint
 * and a deadline, what leaves is a {@link dev.lychgate.pool.ConnectionLease}; the origin comes next. One pool per
 * endpoint and event loop, no locks: what a limit counts, it counts per loop (see {@link dev.lychgate.pool.Permits}).
 */
@NullMarked
package dev.lychgate.pool;

import org.jspecify.annotations.NullMarked;
