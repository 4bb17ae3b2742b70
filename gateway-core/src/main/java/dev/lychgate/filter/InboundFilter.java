package dev.lychgate.filter;

import dev.lychgate.http.RequestHead;

/** Looks at a request before it is routed. Runs on the event loop: it must not block. */
public interface InboundFilter {
    /** Names the filter in logs. */
    String name();

    /** Looks at, and may change, {@code head}. An exception refuses the request as an internal error. */
    FilterOutcome filter(RequestHead head);
}
