/**
 * Station <em>pool</em>: an endpoint has been chosen; here a connection to it is leased. An endpoint and a deadline enter, a
 * {@link dev.lychgate.pool.ConnectionLease} leaves; the origin comes next. There is one {@link
 * dev.lychgate.pool.ConnectionPool} per endpoint and event loop, without locks: a limit is counted per loop (see {@link
 * dev.lychgate.pool.Permits}).
 *
 * <p>A pool looks into its {@code IdleStack} first, then for a stream in {@code Multiplexed}; else the request waits in the
 * {@code WaitQueue}, and {@code ConnectionOpener} opens connections as far as permits allow.
 */
@NullMarked
package dev.lychgate.pool;

import org.jspecify.annotations.NullMarked;
