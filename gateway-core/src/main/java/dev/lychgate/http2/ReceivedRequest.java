package dev.lychgate.http2;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * Result of reading a request's header block.
 *
 * @param head the request; null if it cannot be parsed
 * @param refusal reason for the rejection; null if the request is accepted
 * @param malformed whether the request violates HTTP/2, so that its stream must be reset
 */
public record ReceivedRequest(
        @Nullable RequestHead head, @Nullable GatewayError refusal, boolean malformed) {
    /** Returns the reason for the rejection, for the log; empty if the request is accepted. */
    String detail() {
        return refusal == null ? "" : refusal.detail();
    }

    static ReceivedRequest of(RequestHead head) {
        return new ReceivedRequest(head, null, false);
    }

    static ReceivedRequest refused(GatewayError error) {
        return new ReceivedRequest(null, error, false);
    }

    static ReceivedRequest malformed(GatewayError error) {
        return new ReceivedRequest(null, error, true);
    }
}
