package dev.lychgate.blocking;

import dev.lychgate.chain.FilterSlot;
import java.util.List;

/**
 * A call of a blocking filter that has a thread, as it was seen.
 *
 * @param slot the filter
 * @param requestId whose exchange it was called for
 * @param thread the name of its thread; empty for a virtual one without
 * @param stack where the thread was, the innermost first
 */
public record CallSight(FilterSlot slot, String requestId, String thread, List<StackTraceElement> stack) {
    public CallSight {
        stack = List.copyOf(stack);
    }
}
