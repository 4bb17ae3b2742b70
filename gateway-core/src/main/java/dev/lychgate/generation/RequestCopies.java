package dev.lychgate.generation;

import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.tls.TlsSession;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Receives copies of the requests that meet a stable generation beside its candidate. Any event loop. */
public interface RequestCopies {
    /**
     * Offers a request before its first filter. The head is not retained; a copy of it may be. Never blocks, waits or throws.
     *
     * @param head the head as filters receive it
     * @param ingress facts about its connection, valid during the call
     * @param requestId the id of its exchange
     * @param tls the session of the client; null without TLS
     * @param random chooses the sample; owned by the calling thread
     */
    void offer(RequestHead head, Ingress ingress, String requestId, @Nullable TlsSession tls, RandomGenerator random);
}
