package dev.lychgate.filter;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.ResponseHead;

/** What an inbound filter decides. */
public sealed interface FilterOutcome {
    /** The request goes on, as the filter left it. */
    FilterOutcome PROCEED = new Proceed();

    /** The request goes on, as the filter left it; use {@link #PROCEED}. */
    record Proceed() implements FilterOutcome {}

    /**
     * The filter answers, and no origin is asked.
     *
     * @param head the answer; its framing is set from the body
     * @param body the whole body, sent as UTF-8
     */
    record Respond(ResponseHead head, String body) implements FilterOutcome {}

    /** The request is refused. @param error why */
    record Fail(GatewayError error) implements FilterOutcome {}
}
