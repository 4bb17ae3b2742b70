package dev.lychgate.limit;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the decisions of a named rate limit, and the calls of its store, since the start of the gateway. If the
 * settings of the limit change, the counts continue. Thread-safe.
 */
final class LimitCounts {
    final LongAdder admitted = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder crowded = new LongAdder();
    /** The number of questions to the store of a shared limit. */
    final LongAdder questions = new LongAdder();
    /** The number of decisions without the store, because the store did not respond. */
    final LongAdder onLoss = new LongAdder();
    /** The number of requests that were refused because the store had not yet responded to the request for a lease. */
    final LongAdder unleased = new LongAdder();

    final HotKeys hot = new HotKeys();
}
