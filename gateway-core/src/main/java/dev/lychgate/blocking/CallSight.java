package dev.lychgate.blocking;

import dev.lychgate.chain.FilterSlot;
import java.util.List;

/**
 * Snapshot of a running call of a blocking filter.
 *
 * @param slot the filter
 * @param requestId the request id of the exchange for which the filter runs
 * @param thread the name of the thread that runs the call; empty for an unnamed virtual thread
 * @param stack stack of the thread, innermost frame first
 */
public record CallSight(FilterSlot slot, String requestId, String thread, List<StackTraceElement> stack) {
    public CallSight {
        stack = List.copyOf(stack);
    }
}
