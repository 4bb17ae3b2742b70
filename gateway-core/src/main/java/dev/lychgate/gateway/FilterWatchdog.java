package dev.lychgate.gateway;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.FilterGuard;
import dev.lychgate.exchange.Worker;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import io.netty.util.concurrent.ThreadProperties;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks from outside whether a filter holds an event loop, says which and at which line of which file, and ejects one that
 * does so again and again. It can't stop a filter: whoever lives on that loop has waited, and waits until it returns. What
 * follows from a filter that never returns is decided by {@link StallWatch}. Looks after filters that block on threads of their own, too.
 */
final class FilterWatchdog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FilterWatchdog.class);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final long FIRST_RUN = TimeUnit.MILLISECONDS.toNanos(500);

    private final FilterGuard guard;
    private final BlockingThreads blocking;
    private final List<Watch> watches = new ArrayList<>();
    private final @Nullable ScheduledFuture<?> looks;

    /**
     * @param filters whether there are any to be watched; without, nothing looks
     * @param thread where it looks
     */
    FilterWatchdog(
            FilterGuard guard,
            List<Worker> workers,
            BlockingThreads blocking,
            boolean filters,
            ScheduledExecutorService thread) {
        this.guard = guard;
        this.blocking = blocking;
        long tick = Math.max(TimeUnit.MILLISECONDS.toNanos(10), guard.after().toNanos() / 4);
        workers.forEach(worker -> watches.add(new Watch(worker)));
        this.looks = filters ? thread.scheduleWithFixedDelay(this::look, tick, tick, TimeUnit.NANOSECONDS) : null;
    }

    private void look() {
        long now = System.nanoTime();
        watches.forEach(watch -> watch.look(now));
        blocking.look(now);
    }

    @Override
    public void close() {
        if (looks != null) {
            looks.cancel(false);
        }
    }

    /** @param asked whether the filter holds the loop where it is only asked if it applies */
    static void eject(FilterSlot slot, boolean asked) {
        slot.eject(asked ? FilterSlot.Ejection.NOT_ASKED : FilterSlot.Ejection.NOT_RUN);
        LOG.error(
                "{} is ejected until the next generation; {}",
                slot,
                slot.failsClosed()
                        ? "as it fails closed, exchanges that it applies to are answered with 500"
                        : "exchanges go on without it");
    }

    /** One loop under watch. */
    private final class Watch {
        private final Worker worker;
        /** The run that was seen last, by its beginning, and the CPU time that its thread had used when it was. */
        private long seen;

        private long cpuThen;
        private boolean reported;

        Watch(Worker worker) {
            this.worker = worker;
        }

        void look(long now) {
            FilterSlot slot = worker.guard().slot();
            long since = worker.guard().since();
            if (slot == null || !(worker.loop().eventLoop() instanceof SingleThreadEventExecutor loop)) {
                return;
            }
            ThreadProperties thread = loop.threadProperties();
            if (since != seen) {
                seen = since;
                cpuThen = THREADS.getThreadCpuTime(thread.id());
                reported = false;
            }
            // The first run loads and links what the filter needs, and is given more time.
            long after = slot.isNew()
                    ? Math.max(guard.after().toNanos(), FIRST_RUN)
                    : guard.after().toNanos();
            if (!reported && now - since >= after) {
                StackTraceElement[] stack = thread.stackTrace();
                boolean asked = worker.guard().isAsked();
                boolean holds = isAtWork(thread, stack);
                // It may have returned, and another run may have begun, while we looked.
                if (holds && worker.guard().slot() == slot && worker.guard().since() == since) {
                    reported = true;
                    strike(slot, asked, now - since, slot.placeIn(stack));
                }
            }
        }

        /**
         * Whether the thread waits for something, or has worked for a good part of the time. One that was given no
         * processor, or stood still while memory was collected, is none of the filter's faults.
         */
        private boolean isAtWork(ThreadProperties thread, StackTraceElement[] stack) {
            if (thread.state() != Thread.State.RUNNABLE || (stack.length > 0 && stack[0].isNativeMethod())) {
                return true;
            }
            return THREADS.getThreadCpuTime(thread.id()) - cpuThen
                    >= guard.after().toNanos() / 2;
        }

        private void strike(FilterSlot slot, boolean asked, long nanos, @Nullable StackTraceElement place) {
            int strikes = slot.strike();
            LOG.warn(
                    "{} holds event loop {} for {} ms, at {}; strike {} of {}",
                    slot,
                    worker.loop().index(),
                    TimeUnit.NANOSECONDS.toMillis(nanos),
                    FilterSlot.words(place),
                    strikes,
                    guard.strikes());
            if (strikes >= guard.strikes()
                    && guard.action() == FilterGuard.Action.EJECT
                    && slot.isEjectable()
                    && !slot.isEjected()) {
                eject(slot, asked);
            }
        }
    }
}
