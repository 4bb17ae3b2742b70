/**
 * Connection pools of endpoints, after endpoint selection and before {@code origin}. The package receives an endpoint
 * and a deadline and returns a {@link dev.lychgate.pool.ConnectionLease}. There is one
 * {@link dev.lychgate.pool.ConnectionPool} per endpoint and event loop. Pools need no locks, because limits are divided
 * among the loops (see {@link dev.lychgate.pool.Permits}).
 *
 * <p>A pool looks for an idle connection in its {@code IdleStack} first, then for a stream in {@code Multiplexed}.
 * Otherwise the request waits in the {@code WaitQueue}, and {@code ConnectionOpener} opens connections within the
 * permits.
 */
@NullMarked
package dev.lychgate.pool;

import org.jspecify.annotations.NullMarked;
