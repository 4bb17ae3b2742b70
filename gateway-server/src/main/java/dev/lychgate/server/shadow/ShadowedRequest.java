package dev.lychgate.server.shadow;

import dev.lychgate.http.RequestHead;
import dev.lychgate.tls.TlsSession;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a request before its first filter. Its head is copied for each run.
 *
 * @param id the id of the exchange of the client
 * @param bytes the part of the memory budget that the copy takes
 */
record ShadowedRequest(
        RequestHead head,
        InetAddress client,
        String listener,
        boolean secure,
        String id,
        @Nullable TlsSession tls,
        int bytes) {
    /** Returns whether the request has a body, which is not copied. */
    boolean hasBody() {
        return !head.framing().isEmpty(head.contentLength());
    }
}
