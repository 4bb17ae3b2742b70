package dev.lychgate.chain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Exposes the filter that an event loop runs, the start time of the call, and the exchange. The loop writes all three
 * without locks. The watchdog reads filter and start time from its own thread; only the loop may read the exchange.
 */
public final class LoopGuard {
    /** The guard of the current loop thread. */
    private static final ThreadLocal<LoopGuard> HERE = new ThreadLocal<>();

    /**
     * The step in which a call checks whether the filter applies. In the step {@code RUN}, the filter runs. In the step
     * {@code OTHER}, other code of the filter runs, such as a body transform.
     */
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
    /** The call that contains the current call; null if there is none. */
    private @Nullable Outer outer;

    /** A call that contains another call. For example, a filter emits to the body publisher of another filter. */
    private record Outer(
            FilterSlot slot,
            long since,
            int step,
            LogMark.@Nullable Source exchange,
            @Nullable Outer next) {}

    /**
     * Marks the beginning of a call to {@code filter}. Calls may be nested.
     *
     * @param of supplies the log mark of the exchange
     * @param now the current time, in nanoseconds
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

    /** Marks the beginning of the filter's run, after the check that the filter applies. */
    public void run() {
        STEP.setOpaque(this, RUN);
    }

    /**
     * Marks the end of the current call. If another call contains the current call, the containing call becomes the
     * current one. Also clears the interrupt flag of the thread, because a filter may have set it. With this flag,
     * blocking calls of other filters on this thread would fail.
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

    /**
     * Returns the log mark (request id and route) of the exchange whose filter runs on this thread; null if no filter
     * runs.
     */
    static @Nullable LogMark mark() {
        LoopGuard here = HERE.get();
        LogMark.Source of = here == null ? null : here.exchange;
        return of == null ? null : of.mark();
    }

    /** Returns the running filter; null if no filter runs. Thread-safe. */
    public @Nullable FilterSlot slot() {
        return (FilterSlot) SLOT.getAcquire(this);
    }

    /**
     * Returns whether the current call only checks whether the filter applies. Valid while {@link #slot()} is
     * unchanged.
     */
    public boolean isAsked() {
        return (int) STEP.getOpaque(this) == CONDITION;
    }

    /** Returns whether the current call is the filter's run. Valid while {@link #slot()} is unchanged. */
    public boolean isRun() {
        return (int) STEP.getOpaque(this) == RUN;
    }

    /** Returns the start time of the current call, in nanoseconds. Valid while {@link #slot()} is unchanged. */
    public long since() {
        return (long) SINCE.getOpaque(this);
    }
}
