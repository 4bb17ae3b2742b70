package dev.lychgate.generation;

import dev.lychgate.http.RequestHead;
import dev.lychgate.route.Ingress;
import dev.lychgate.tls.TlsSession;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Receives copies of requests that use the stable generation while there is a candidate. Called on any event loop. */
public interface RequestCopies {
    /**
     * Offers a request before its first filter runs. Implementations must not retain the head, but may copy it; they
     * must not block or throw.
     *
     * @param head the request head as filters receive it
     * @param ingress facts about the client's connection, valid during the call
     * @param requestId the id of the exchange
     * @param tls the client's TLS session; null if the connection does not use TLS
     * @param random decides which requests are copied; owned by the calling thread
     */
    void offer(RequestHead head, Ingress ingress, String requestId, @Nullable TlsSession tls, RandomGenerator random);
}
