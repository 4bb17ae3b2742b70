package dev.lychgate.blocking;

import dev.lychgate.chain.FilterSlot;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of blocking filters that still run after they were cancelled because of a timeout or because the client
 * disconnected. Each of these calls keeps a thread, which can't be reclaimed. The log reports the filter and the line
 * of code that the call executes.
 */
final class LingeringCalls {
    private static final Logger LOG = LoggerFactory.getLogger(LingeringCalls.class);

    /** Time that an interrupted call may take to end before it is reported, in nanoseconds. */
    private static final long GRACE = TimeUnit.SECONDS.toNanos(1);

    private final Queue<BlockingCall<?>> calls = new ConcurrentLinkedQueue<>();

    /** Adds a call. Thread-safe; does not block. */
    void add(BlockingCall<?> call) {
        calls.add(call);
    }

    /**
     * Logs the calls that have not ended in time, and removes the calls that have ended.
     *
     * @param now the current time, in nanoseconds
     */
    void look(long now) {
        for (Iterator<BlockingCall<?>> all = calls.iterator(); all.hasNext(); ) {
            BlockingCall<?> call = all.next();
            if (!call.isUnderWay()) {
                all.remove();
                FilterSlot told = call.told();
                if (told != null) {
                    told.stats().returned();
                }
            } else if (call.told() == null && now - call.givenUp() >= GRACE) {
                FilterSlot slot = call.running();
                call.told(slot);
                slot.stats().lingers();
                tell(call, slot, now);
            }
        }
    }

    private static void tell(BlockingCall<?> call, FilterSlot slot, long now) {
        String more = slot.lingering().tell(now);
        if (more != null) {
            call.mark
                    .on(LOG.atWarn())
                    .log(
                            "{}a call of {} does not return: it was cancelled {} ms ago, but still occupies its thread,"
                                    + " at {}; {} cancelled calls of this filter occupy threads now{}",
                            call.mark,
                            slot,
                            TimeUnit.NANOSECONDS.toMillis(now - call.givenUp()),
                            FilterSlot.words(call.place()),
                            slot.stats().lingering(),
                            more);
        }
    }

    /**
     * Returns a suffix for the message about a rejected call of {@code slot}: the number of cancelled calls of this
     * filter that still run. Empty if there are no such calls.
     */
    String words(FilterSlot slot) {
        int count = slot.stats().lingering();
        return count == 0 ? "" : "; " + count + " cancelled calls of this filter still occupy their threads";
    }
}
