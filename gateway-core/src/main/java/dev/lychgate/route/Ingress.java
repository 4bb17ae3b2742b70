package dev.lychgate.route;

import dev.lychgate.http.RequestHead;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Supplies the facts about a request's connection and sender that predicates read. Used only on the thread of the
 * request.
 */
public interface Ingress {
    /** Returns the client's address; for a client of a trusted proxy, the address that the proxy reports. */
    InetAddress clientAddress();

    /** Returns the name of the listener that accepted the connection. */
    String listener();

    /** Returns whether the client used TLS, according to the connection or to a trusted proxy. */
    boolean isSecure(RequestHead head);

    /**
     * Returns a claim of the sender's verified identity.
     *
     * @param path the name of the claim; a dot separates the name of an object from the name of a member
     * @return null if the sender is unknown or has no such claim
     */
    default @Nullable Object claim(String path) {
        return null;
    }

    /** Fixed facts for a request without a connection. */
    record Known(InetAddress clientAddress, String listener, boolean secure) implements Ingress {
        @Override
        public boolean isSecure(RequestHead head) {
            return secure;
        }
    }
}
