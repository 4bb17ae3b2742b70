package dev.lychgate.chain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Exposes the filter that an event loop runs, with its start time and exchange. The loop writes without locks. The watchdog
 * reads from its own thread, except the exchange, which only the loop may read.
 */
public final class LoopGuard {
    /** The guard of the current loop thread. */
    private static final ThreadLocal<LoopGuard> HERE = new ThreadLocal<>();

    private static final VarHandle SLOT;
    private static final VarHandle SINCE;
    private static final VarHandle ASKED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SLOT = lookup.findVarHandle(LoopGuard.class, "slot", FilterSlot.class);
            SINCE = lookup.findVarHandle(LoopGuard.class, "since", long.class);
            ASKED = lookup.findVarHandle(LoopGuard.class, "asked", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // through SLOT
    private @Nullable FilterSlot slot;

    @SuppressWarnings("UnusedVariable") // through SINCE
    private long since;

    @SuppressWarnings("UnusedVariable") // through ASKED
    private boolean asked;

    private LogMark.@Nullable Source exchange;
    private boolean known;

    /**
     * Marks the begin of a call of {@code filter}.
     *
     * @param of the exchange
     * @param now nanoseconds
     * @param toAsk whether the call only checks if the filter applies
     */
    public void enter(FilterSlot filter, LogMark.Source of, long now, boolean toAsk) {
        if (!known) {
            // Set once: a loop has one thread, and a thread has one loop.
            HERE.set(this);
            known = true;
        }
        exchange = of;
        SINCE.setOpaque(this, now);
        ASKED.setOpaque(this, toAsk);
        SLOT.setRelease(this, filter);
    }

    /** Marks the end of the check: the filter applies and runs. */
    public void applies() {
        ASKED.setOpaque(this, false);
    }

    /** Marks the end of a call and clears the interrupt flag, which would fail blocking calls of other filters. */
    public void leave() {
        if (Thread.currentThread().isInterrupted()) {
            Thread.interrupted();
        }
        exchange = null;
        SLOT.setRelease(this, (FilterSlot) null);
    }

    /** Returns the mark of the exchange whose filter runs on this thread; null if none does. */
    static @Nullable LogMark mark() {
        LoopGuard here = HERE.get();
        LogMark.Source of = here == null ? null : here.exchange;
        return of == null ? null : of.mark();
    }

    /** Returns the running filter; null if none runs. Thread-safe. */
    public @Nullable FilterSlot slot() {
        return (FilterSlot) SLOT.getAcquire(this);
    }

    /** Returns whether the call only checks if the filter applies; valid while {@link #slot()} is unchanged. */
    public boolean isAsked() {
        return (boolean) ASKED.getOpaque(this);
    }

    /** Returns the begin of the call, in nanoseconds; valid while {@link #slot()} is unchanged. */
    public long since() {
        return (long) SINCE.getOpaque(this);
    }
}
