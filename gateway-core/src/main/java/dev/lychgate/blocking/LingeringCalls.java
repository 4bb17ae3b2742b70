package dev.lychgate.blocking;

import dev.lychgate.chain.FilterSlot;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of blocking filters that were given up, for their time was over or their client gone, and go on nevertheless.
 * Each keeps a thread, which nothing can take from it: all that is left is to say whose it is, and at which line.
 */
final class LingeringCalls {
    private static final Logger LOG = LoggerFactory.getLogger(LingeringCalls.class);

    /** How long a call that was interrupted may take to come to its end before it is told of, in nanoseconds. */
    private static final long GRACE = TimeUnit.SECONDS.toNanos(1);

    private final Queue<BlockingCall<?>> calls = new ConcurrentLinkedQueue<>();

    /** Any thread; does not wait. */
    void add(BlockingCall<?> call) {
        calls.add(call);
    }

    /** @param now the present, in nanoseconds */
    void look(long now) {
        for (Iterator<BlockingCall<?>> all = calls.iterator(); all.hasNext(); ) {
            BlockingCall<?> call = all.next();
            if (!call.isUnderWay()) {
                all.remove();
                if (call.isTold()) {
                    call.slot.stats().returned();
                }
            } else if (!call.isTold() && now - call.givenUp() >= GRACE) {
                call.told();
                call.slot.stats().lingers();
                tell(call, now);
            }
        }
    }

    private static void tell(BlockingCall<?> call, long now) {
        FilterSlot slot = call.slot;
        String more = slot.lingering().tell(now);
        if (more != null) {
            call.mark
                    .on(LOG.atWarn())
                    .log(
                            "{}{} does not return: given up {} ms ago, it keeps its thread, at {}; {} of its calls do so{}",
                            call.mark,
                            slot,
                            TimeUnit.NANOSECONDS.toMillis(now - call.givenUp()),
                            FilterSlot.words(call.place()),
                            slot.stats().lingering(),
                            more);
        }
    }

    /** What to add where a call of {@code slot} is refused. */
    String words(FilterSlot slot) {
        int count = slot.stats().lingering();
        return count == 0 ? "" : "; " + count + " were given up and don't return";
    }
}
