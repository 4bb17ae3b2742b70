package dev.lychgate.chain;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Exposes which filter an event loop runs, since when, and for which exchange. The loop writes it without waiting for readers;
 * the watchdog of the loops reads it from its own thread, except the exchange, which only the loop itself may read.
 */
public final class LoopGuard {
    /** That of the loop whose thread this is. */
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
     * The loop calls {@code filter}.
     *
     * @param of for whom
     * @param now the present, in nanoseconds
     * @param toAsk whether only to ask it if it applies, for now
     */
    public void enter(FilterSlot filter, LogMark.Source of, long now, boolean toAsk) {
        if (!known) {
            // For good: a loop has one thread, and a thread one loop.
            HERE.set(this);
            known = true;
        }
        exchange = of;
        SINCE.setOpaque(this, now);
        ASKED.setOpaque(this, toAsk);
        SLOT.setRelease(this, filter);
    }

    /** The filter has said that it applies, and runs. */
    public void applies() {
        ASKED.setOpaque(this, false);
    }

    /** The filter has returned. If it left the interrupt flag of the event loop set, blocking calls of other filters would fail. */
    public void leave() {
        if (Thread.currentThread().isInterrupted()) {
            Thread.interrupted();
        }
        exchange = null;
        SLOT.setRelease(this, (FilterSlot) null);
    }

    /** The exchange whose filter runs on this thread; null if none does. */
    static @Nullable LogMark mark() {
        LoopGuard here = HERE.get();
        LogMark.Source of = here == null ? null : here.exchange;
        return of == null ? null : of.mark();
    }

    /** The filter the loop is in; null if it is in none. From any thread. */
    public @Nullable FilterSlot slot() {
        return (FilterSlot) SLOT.getAcquire(this);
    }

    /** Whether the filter is only being asked if it applies; means something while {@link #slot()} stays the same. */
    public boolean isAsked() {
        return (boolean) ASKED.getOpaque(this);
    }

    /** When the filter was entered, in nanoseconds; means something while {@link #slot()} stays the same. */
    public long since() {
        return (long) SINCE.getOpaque(this);
    }
}
