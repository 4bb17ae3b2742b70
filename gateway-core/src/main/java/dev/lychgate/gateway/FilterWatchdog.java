package dev.lychgate.gateway;

import dev.lychgate.blocking.BlockingThreads;
import dev.lychgate.blocking.CallSight;
import dev.lychgate.chain.BudgetMeter;
import dev.lychgate.chain.FilterSlot;
import dev.lychgate.config.FilterGuard;
import dev.lychgate.exchange.Worker;
import dev.lychgate.generation.Traffic;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import io.netty.util.concurrent.ThreadProperties;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects filters that block an event loop, and logs each of them with file and line. If a synchronous filter blocks
 * the loop because it waits, the watchdog off-loads the filter. All other filters that block the loop are ejected after
 * repeated strikes. The watchdog also compares the cost of filters with their budgets, and monitors the calls of
 * filters that run on threads for blocking work.
 *
 * <p>The watchdog can't stop a filter: all exchanges on the loop wait until the filter returns. {@link StallWatch}
 * handles filters that never return. The watchdog covers the filters of all generations in force. For each filter, the
 * settings {@code filters.guard} of its generation apply.
 */
final class FilterWatchdog {
    private static final Logger LOG = LoggerFactory.getLogger(FilterWatchdog.class);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /**
     * The number of times that a check collects stack traces while a filter seems to exceed its budget. {@link #PAUSE}
     * is the pause after each collection, in nanoseconds.
     */
    private static final int LOOKS = 10;

    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(500);

    private static final long FIRST_RUN = TimeUnit.MILLISECONDS.toNanos(500);

    private final BlockingThreads blocking;
    private final ScheduledExecutorService thread;
    private final List<Watch> watches = new ArrayList<>();
    private FilterGuards guards;
    private final IdentityHashMap<FilterSlot, BudgetWatch> budgets = new IdentityHashMap<>();
    private @Nullable ScheduledFuture<?> looks;

    /**
     * Starts to watch the filters of {@code traffic}.
     *
     * @param traffic the generations in force; if they have no filters, no check is scheduled
     * @param thread runs the checks
     */
    FilterWatchdog(Traffic traffic, List<Worker> workers, BlockingThreads blocking, ScheduledExecutorService thread) {
        this.blocking = blocking;
        this.thread = thread;
        this.guards = FilterGuards.of(traffic);
        workers.forEach(worker -> watches.add(new Watch(worker)));
        watch(traffic);
    }

    /**
     * Watches the filters of these generations from now on. Filters that have been watched before keep their strikes.
     * Thread-safe.
     */
    void watch(Traffic traffic) {
        FilterGuards next = FilterGuards.of(traffic);
        thread.execute(() -> adopt(next));
    }

    private void adopt(FilterGuards next) {
        guards = next;
        budgets.keySet().retainAll(next.slots());
        boolean unmeasured = false;
        for (FilterSlot slot : next.slots()) {
            BudgetMeter meter = slot.budget();
            if (meter != null && !budgets.containsKey(slot)) {
                BudgetWatch watch = new BudgetWatch(slot, meter, next.of(slot), System.nanoTime());
                unmeasured |= watch.isUnmeasured();
                budgets.put(slot, watch);
            }
        }
        if (unmeasured) {
            LOG.warn(
                    "this JVM can't measure CPU time or allocation, so filter budgets limit only time and concurrency");
        }
        if (looks != null) {
            looks.cancel(false);
        }
        looks = next.slots().isEmpty()
                ? null
                : thread.scheduleWithFixedDelay(this::look, next.tick(), next.tick(), TimeUnit.NANOSECONDS);
    }

    /** Returns the settings {@code filters.guard} that apply to a filter. Called on the watchdog thread. */
    FilterGuard guard(FilterSlot slot) {
        return guards.of(slot);
    }

    private void look() {
        try {
            look(System.nanoTime());
        } catch (RuntimeException e) {
            // An exception would end the schedule of the checks, so it is logged here.
            LOG.error("internal error while checking filters; the next check runs as scheduled", e);
        }
    }

    private void look(long now) {
        watches.forEach(watch -> watch.look(now));
        blocking.look(now);
        if (!budgets.isEmpty()) {
            List<BudgetWatch> suspects = budgets.values().stream()
                    .filter(budget -> budget.isSuspect(now))
                    .toList();
            if (!suspects.isEmpty()) {
                locate(suspects);
            }
            budgets.values().forEach(budget -> budget.look(now, blocking.isVirtual()));
        }
    }

    /**
     * Collects stack traces of the threads that run a filter in {@code suspects}. A run lasts only microseconds, so a
     * single sample would rarely coincide with a run. Therefore, this method takes several samples.
     */
    private void locate(List<BudgetWatch> suspects) {
        for (int i = 0; i < LOOKS; i++) {
            watches.forEach(watch -> watch.locate(suspects));
            LockSupport.parkNanos(PAUSE);
        }
        for (CallSight call : blocking.sights(LOOKS)) {
            StackTraceElement[] stack = call.stack().toArray(StackTraceElement[]::new);
            suspects.stream().filter(one -> one.slot == call.slot()).forEach(one -> one.add(stack, false));
        }
    }

    /**
     * Ejects a filter and logs the consequence.
     *
     * @param asked true if the condition of the filter blocked the loop; false if the filter itself blocked the loop
     */
    static void eject(FilterSlot slot, boolean asked) {
        slot.eject(asked ? FilterSlot.Ejection.NOT_ASKED : FilterSlot.Ejection.NOT_RUN);
        LOG.error(
                "{} is ejected until the next generation; {}",
                slot,
                slot.failsClosed()
                        ? "because it fails closed, exchanges to which it applies get a 500 response"
                        : "exchanges skip it");
    }

    /**
     * Returns whether a thread waits for a lock, a timer or I/O. The JVM reports a thread in native I/O as runnable, so
     * the innermost stack frame decides.
     */
    private static boolean waits(ThreadProperties thread, StackTraceElement[] stack) {
        if (thread.state() != Thread.State.RUNNABLE) {
            return true;
        }
        String top = stack.length > 0 && stack[0].isNativeMethod() ? stack[0].getClassName() : "";
        return top.startsWith("sun.nio.") || top.startsWith("java.net.") || top.startsWith("java.io.");
    }

    private final class Watch {
        private final Worker worker;
        /**
         * The start time of the filter call that the last check observed. {@link #cpuThen} is the CPU time of the
         * thread when a check first observed this call.
         */
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
            FilterGuard guard = guards.of(slot);
            // The first run gets more time, because it loads and links the filter's code.
            long after = slot.isNew()
                    ? Math.max(guard.after().toNanos(), FIRST_RUN)
                    : guard.after().toNanos();
            if (!reported && now - since >= after) {
                StackTraceElement[] stack = thread.stackTrace();
                boolean asked = worker.guard().isAsked();
                boolean run = worker.guard().isRun();
                boolean waits = waits(thread, stack);
                boolean holds = isAtWork(thread, stack, guard);
                // During this check, the call may have ended, and another call may have begun.
                if (holds && worker.guard().slot() == slot && worker.guard().since() == since) {
                    reported = true;
                    if (run && slot.isOffloaded()) {
                        return; // this run began before the filter was off-loaded
                    }
                    boolean offload = run && waits && guard.offload() && isOffloadable(slot);
                    if (offload) {
                        slot.offload();
                    }
                    strike(slot, asked, now - since, slot.placeIn(stack), offload);
                }
            }
        }

        void locate(List<BudgetWatch> suspects) {
            FilterSlot slot = worker.guard().slot();
            if (slot == null || !worker.guard().isRun()) {
                return;
            }
            for (BudgetWatch suspect : suspects) {
                if (suspect.slot == slot && worker.loop().eventLoop() instanceof SingleThreadEventExecutor loop) {
                    StackTraceElement[] stack = loop.threadProperties().stackTrace();
                    suspect.add(stack, waits(loop.threadProperties(), stack));
                }
            }
        }

        private boolean isOffloadable(FilterSlot slot) {
            return blocking.isVirtual() && slot.isOffloadable() && !slot.isEjected();
        }

        /**
         * Returns whether the thread waits or has used the CPU for at least half of the limit. If neither is true, the
         * filter is not to blame: the thread had no processor, or garbage collection paused it.
         */
        private boolean isAtWork(ThreadProperties thread, StackTraceElement[] stack, FilterGuard guard) {
            if (thread.state() != Thread.State.RUNNABLE || (stack.length > 0 && stack[0].isNativeMethod())) {
                return true;
            }
            return THREADS.getThreadCpuTime(thread.id()) - cpuThen
                    >= guard.after().toNanos() / 2;
        }

        private void strike(
                FilterSlot slot, boolean asked, long nanos, @Nullable StackTraceElement place, boolean offloaded) {
            FilterGuard guard = guards.of(slot);
            int strikes = slot.strike();
            LOG.warn(
                    "{} blocks event loop {} for {} ms, at {}; strike {} of {}{}",
                    slot,
                    worker.loop().index(),
                    TimeUnit.NANOSECONDS.toMillis(nanos),
                    FilterSlot.words(place),
                    strikes,
                    guard.strikes(),
                    offloaded ? "; it runs on virtual threads from now on" : "");
            if (!offloaded
                    && strikes >= guard.strikes()
                    && guard.action() == FilterGuard.Action.EJECT
                    && slot.isEjectable()
                    && !slot.isEjected()) {
                eject(slot, asked);
            }
        }
    }
}
