package dev.lychgate.proxyprotocol;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What a header says: who has connected, and where to. Both ends are there, or none.
 *
 * @param source the client; null if the proxy speaks for itself, or does not know
 * @param destination where the client has connected to; null likewise
 */
public record ProxyHeader(
        @Nullable InetSocketAddress source, @Nullable InetSocketAddress destination) {
    /** Says nothing of any client: LOCAL, UNKNOWN, or addresses that are none of IP. */
    public static final ProxyHeader NOBODY = new ProxyHeader(null, null);

    public ProxyHeader {
        if ((source == null) != (destination == null)) {
            throw new IllegalArgumentException("one end alone: " + source + ", " + destination);
        }
    }

    /** Returns this header for another client; unchanged if it names none. */
    public ProxyHeader from(InetSocketAddress client) {
        return destination == null ? this : new ProxyHeader(client, destination);
    }
}
