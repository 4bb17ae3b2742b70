package dev.lychgate.server.shadow;

import dev.lychgate.http.RequestHead;
import dev.lychgate.tls.TlsSession;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a request that no filter has processed. The head is copied again for each run.
 *
 * @param id the request id of the client's exchange
 * @param bytes the number of bytes that the copy has taken from the memory budget
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
