package dev.lychgate.limit;

import java.util.concurrent.atomic.LongAdder;

/**
 * The counts of all rate limits with one name since the start of the gateway. They outlive changes of the settings of
 * the limit. Thread-safe.
 */
final class LimitCounts {
    final LongAdder admitted = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder crowded = new LongAdder();
    /** Questions to the store of a shared limit. */
    final LongAdder questions = new LongAdder();
    /** Decisions without the store, because it did not respond. */
    final LongAdder onLoss = new LongAdder();
    /** Requests that were refused while the response to a request for a lease was outstanding. */
    final LongAdder unleased = new LongAdder();

    final HotKeys hot = new HotKeys();
}
