package dev.lychgate.filter;

import dev.lychgate.http.ResponseHead;

/**
 * Looks at every final answer before it is committed, our own error answers included. Runs on the event loop: it must
 * not block.
 */
public interface OutboundFilter {
    /** Names the filter in logs. */
    String name();

    /** Looks at, and may change, {@code head}; its framing is not the filter's to change. */
    void filter(ResponseHead head);
}
