package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.net.InetAddress;

/** Facts about a request's connection that predicates read. Used on the request's thread. */
public interface Ingress {
    /** Returns the address of the client, which may be behind a trusted proxy. */
    InetAddress clientAddress();

    /** Returns the name of the listener that accepted the connection. */
    String listener();

    /** Returns whether the client used TLS, as the connection or a trusted proxy states it. */
    boolean isSecure(RequestHead head);

    /** Fixed facts for a request without a connection. */
    record Known(InetAddress clientAddress, String listener, boolean secure) implements Ingress {
        @Override
        public boolean isSecure(RequestHead head) {
            return secure;
        }
    }
}
