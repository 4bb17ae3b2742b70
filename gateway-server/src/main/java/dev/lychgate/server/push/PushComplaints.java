package dev.lychgate.server.push;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the failures of a receiver at intervals, and its recovery. A single failure is not logged, because the receiver
 * may only have closed an idle connection. Not thread-safe.
 */
final class PushComplaints {
    private static final Logger LOG = LoggerFactory.getLogger(HttpPush.class);
    private static final long BETWEEN = Duration.ofMinutes(1).toNanos();
    private static final int WORTH_A_LINE = 2;

    private final String name;
    private final String origin;
    private final PushQueue queue;
    private int inARow;
    private boolean said;
    private long saidAt = System.nanoTime() - BETWEEN;

    PushComplaints(String name, PushTarget target, PushQueue queue) {
        this.name = name;
        this.origin = target.origin();
        this.queue = queue;
    }

    /** Records a failure after which the body is sent again. */
    void failed(String why) {
        inARow++;
        if (inARow >= WORTH_A_LINE) {
            complain(why);
        }
    }

    /** Records a failure after which the body is dropped. */
    void refused(String why) {
        inARow = WORTH_A_LINE;
        complain(why);
    }

    private void complain(String why) {
        long now = System.nanoTime();
        if (now - saidAt >= BETWEEN) {
            saidAt = now;
            said = true;
            LOG.warn(
                    "{}: {} does not accept data: {}; {} items are queued, {} were dropped so far",
                    name,
                    origin,
                    why,
                    queue.waitingItems(),
                    queue.droppedItems());
        }
    }

    void delivered() {
        inARow = 0;
        if (said) {
            said = false;
            LOG.info("{}: {} accepts data again; {} items were dropped so far", name, origin, queue.droppedItems());
        }
    }
}
