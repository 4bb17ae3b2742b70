package dev.lychgate.chain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Exposes the filter that an event loop runs, with its start time and exchange. The loop writes without locks. The
 * watchdog reads filter and time from its own thread; only the loop may read the exchange.
 */
public final class LoopGuard {
    /** The guard of the current loop thread. */
    private static final ThreadLocal<LoopGuard> HERE = new ThreadLocal<>();

    /** Steps of a call: the check whether the filter applies, its run, and anything else, such as a body transform. */
    private static final int CONDITION = 0;

    private static final int RUN = 1;
    private static final int OTHER = 2;

    private static final VarHandle SLOT;
    private static final VarHandle SINCE;
    private static final VarHandle STEP;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SLOT = lookup.findVarHandle(LoopGuard.class, "slot", FilterSlot.class);
            SINCE = lookup.findVarHandle(LoopGuard.class, "since", long.class);
            STEP = lookup.findVarHandle(LoopGuard.class, "step", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // through SLOT
    private @Nullable FilterSlot slot;

    @SuppressWarnings("UnusedVariable") // through SINCE
    private long since;

    @SuppressWarnings("UnusedVariable") // through STEP
    private int step;

    private LogMark.@Nullable Source exchange;
    private boolean known;
    /** The call within which the current one was made; null if there is none. */
    private @Nullable Outer outer;

    /**
     * A call that has made another call, such as that of a filter that emits to the body publisher of another filter.
     */
    private record Outer(
            FilterSlot slot,
            long since,
            int step,
            LogMark.@Nullable Source exchange,
            @Nullable Outer next) {}

    /**
     * Marks the beginning of a call of {@code filter}. The call may be within another call.
     *
     * @param of supplies the mark of the exchange
     * @param now nanoseconds
     * @param toAsk whether the call only checks whether the filter applies
     */
    public void enter(FilterSlot filter, LogMark.Source of, long now, boolean toAsk) {
        if (!known) {
            // Set once: a loop has one thread, and a thread has one loop.
            HERE.set(this);
            known = true;
        }
        FilterSlot within = slot;
        if (within != null) {
            outer = new Outer(within, since, step, exchange, outer);
        }
        exchange = of;
        SINCE.setOpaque(this, now);
        STEP.setOpaque(this, toAsk ? CONDITION : OTHER);
        SLOT.setRelease(this, filter);
    }

    /** Marks the beginning of the run, because the filter applies. */
    public void run() {
        STEP.setOpaque(this, RUN);
    }

    /**
     * Marks the end of a call. The outer call, if there is one, continues. Also clears the interrupt flag, which would
     * otherwise fail blocking calls of other filters.
     */
    public void leave() {
        if (Thread.currentThread().isInterrupted()) {
            Thread.interrupted();
        }
        Outer continued = outer;
        if (continued == null) {
            exchange = null;
            SLOT.setRelease(this, (FilterSlot) null);
        } else {
            outer = continued.next;
            exchange = continued.exchange;
            SINCE.setOpaque(this, continued.since);
            STEP.setOpaque(this, continued.step);
            SLOT.setRelease(this, continued.slot);
        }
    }

    /** Returns the mark of the exchange whose filter runs on this thread; null if none runs. */
    static @Nullable LogMark mark() {
        LoopGuard here = HERE.get();
        LogMark.Source of = here == null ? null : here.exchange;
        return of == null ? null : of.mark();
    }

    /** Returns the running filter; null if none runs. Thread-safe. */
    public @Nullable FilterSlot slot() {
        return (FilterSlot) SLOT.getAcquire(this);
    }

    /** Returns whether the call only checks whether the filter applies; valid while {@link #slot()} is unchanged. */
    public boolean isAsked() {
        return (int) STEP.getOpaque(this) == CONDITION;
    }

    /** Returns whether the call is the filter's run; valid while {@link #slot()} is unchanged. */
    public boolean isRun() {
        return (int) STEP.getOpaque(this) == RUN;
    }

    /** Returns the time at which the call began, in nanoseconds; valid while {@link #slot()} is unchanged. */
    public long since() {
        return (long) SINCE.getOpaque(this);
    }
}
