package dev.lychgate.limit;

import java.util.concurrent.atomic.LongAdder;

/** The counts of the rate limit with one name, since the start of the gateway. They outlive changes to its settings. Thread-safe. */
final class LimitCounts {
    final LongAdder admitted = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder crowded = new LongAdder();
    final HotKeys hot = new HotKeys();
}
