package dev.lychgate.http2;

import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import org.jspecify.annotations.Nullable;

/**
 * What a client's first header block on a stream comes to.
 *
 * @param head the request; null if it can't be understood
 * @param refusal why it is not to be served; null if it is
 * @param malformed whether it breaks HTTP/2's rules, so that its stream must end by a reset, answered or not
 */
public record ReceivedRequest(
        @Nullable RequestHead head, @Nullable GatewayError refusal, boolean malformed) {
    /** What is wrong with it, for the log. */
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
