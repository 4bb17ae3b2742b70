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

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            SLOT = lookup.findVarHandle(LoopGuard.class, "slot", FilterSlot.class);
            SINCE = lookup.findVarHandle(LoopGuard.class, "since", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // through SLOT
    private @Nullable FilterSlot slot;

    @SuppressWarnings("UnusedVariable") // through SINCE
    private long since;

    /** The loop calls {@code filter}, at {@code now} (ns). */
    void enter(FilterSlot filter, long now) {
        SINCE.setOpaque(this, now);
        SLOT.setRelease(this, filter);
    }

    /** The filter has returned. */
    void leave() {
        SLOT.setRelease(this, (FilterSlot) null);
    }

    /** The filter the loop is in; null if it is in none. From any thread. */
    public @Nullable FilterSlot slot() {
        return (FilterSlot) SLOT.getAcquire(this);
    }

    /** When the filter was entered, in nanoseconds; means something while {@link #slot()} stays the same. */
    public long since() {
        return (long) SINCE.getOpaque(this);
    }
}
