package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.net.InetAddress;

/** Facts about a request's connection that predicates read. Used on the request's thread. */
public interface Ingress {
    /** Returns the client's address; for a client of a trusted proxy, the address that the proxy reports. */
    InetAddress clientAddress();

    /** Returns the name of the listener that accepted the connection. */
    String listener();

    /** Returns whether the client used TLS, according to the connection or to a trusted proxy. */
    boolean isSecure(RequestHead head);

    /** Fixed facts for a request without a connection. */
    record Known(InetAddress clientAddress, String listener, boolean secure) implements Ingress {
        @Override
        public boolean isSecure(RequestHead head) {
            return secure;
        }
    }
}
