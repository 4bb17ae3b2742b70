/**
 * Connection pools of endpoints. The stage before this package selects an endpoint; the next stage is the package
 * {@code origin}. The package receives an endpoint and a deadline, and returns a {@link
 * dev.lychgate.pool.ConnectionLease}. There is one {@link dev.lychgate.pool.ConnectionPool} per endpoint and event
 * loop. Pools need no locks, because limits are divided among the loops (see {@link dev.lychgate.pool.Permits}).
 *
 * <p>A pool looks for an idle connection in its {@code IdleStack} first, then for a stream in {@code Multiplexed}. If
 * neither is available, the request waits in the {@code WaitQueue}, and {@code ConnectionOpener} opens connections as
 * far as permits are available.
 */
@NullMarked
package dev.lychgate.pool;

import org.jspecify.annotations.NullMarked;
