/**
 * Connection pools of endpoints, after endpoint selection and before {@code origin}. The package receives an endpoint and a
 * deadline and returns a {@link dev.lychgate.pool.ConnectionLease}. There is one {@link dev.lychgate.pool.ConnectionPool}
 * per endpoint and event loop, without locks: limits are divided among the loops (see {@link dev.lychgate.pool.Permits}).
 *
 * <p>A pool checks its {@code IdleStack} first, then {@code Multiplexed} for a stream. Otherwise the request waits in the
 * {@code WaitQueue}, and {@code ConnectionOpener} opens connections within the permits.
 */
@NullMarked
package dev.lychgate.pool;

import org.jspecify.annotations.NullMarked;
