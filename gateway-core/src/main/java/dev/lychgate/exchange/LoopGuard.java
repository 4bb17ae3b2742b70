package dev.lychgate.exchange;

import dev.lychgate.filter.FilterSlot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Says which filter an event loop is in, and since when. Written by the loop, which waits for nobody to see it; read by
 * whoever watches over the loops.
 */
public final class LoopGuard {
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

    /** The loop calls {@code filter}, at {@code now} (ns). @param toAsk whether only to ask it if it applies, for now */
    void enter(FilterSlot filter, long now, boolean toAsk) {
        SINCE.setOpaque(this, now);
        ASKED.setOpaque(this, toAsk);
        SLOT.setRelease(this, filter);
    }

    /** The filter has said that it applies, and runs. */
    void applies() {
        ASKED.setOpaque(this, false);
    }

    /** The filter has returned. */
    void leave() {
        SLOT.setRelease(this, (FilterSlot) null);
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
