package dev.lychgate.limit;

import dev.lychgate.loop.QuietPeriod;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store of the shared rate limits, with the state of its parts. There is one object for each store. Thread-safe.
 */
final class SharedLimitStore implements StorePart.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(SharedLimitStore.class);

    private final BucketStore store;
    private final LongSupplier clock;
    private final StorePart[] parts;
    private final QuietPeriod losses = new QuietPeriod();
    private final QuietPeriod returns = new QuietPeriod();

    SharedLimitStore(BucketStore store) {
        this(store, LimitClock::now);
    }

    /** @param clock the time in nanoseconds, as {@link RateLimit#now} */
    SharedLimitStore(BucketStore store, LongSupplier clock) {
        this.store = store;
        this.clock = clock;
        this.parts = new StorePart[store.parts()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new StorePart(store, clock, this);
        }
    }

    BucketStore store() {
        return store;
    }

    long now() {
        return clock.getAsLong();
    }

    StorePart partOf(String bucket) {
        return parts[store.partOf(bucket)];
    }

    /** Returns whether at least one part does not respond. */
    boolean isLost() {
        for (StorePart part : parts) {
            if (part.isLost()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void onLoss(long now) {
        String more = losses.tell(now);
        if (more != null) {
            LOG.warn(
                    "the store of shared rate limits does not respond; each shared rate limit applies its setting"
                            + " on-loss until the store responds{}",
                    more);
        }
    }

    @Override
    public void onReturn(long now) {
        String more = returns.tell(now);
        if (more != null) {
            LOG.info("the store of shared rate limits responds again{}", more);
        }
    }
}
