package dev.lychgate.proxyprotocol;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The two addresses in a PROXY protocol header. Either both are present, or neither is.
 *
 * @param source address of the client; null if the connection is the proxy's own, or the address is unknown
 * @param destination address to which the client connected; null if the source is null
 */
public record ProxyHeader(
        @Nullable InetSocketAddress source, @Nullable InetSocketAddress destination) {
    /** Header without addresses: LOCAL, UNKNOWN, or a family other than IP. */
    public static final ProxyHeader NOBODY = new ProxyHeader(null, null);

    public ProxyHeader {
        if ((source == null) != (destination == null)) {
            throw new IllegalArgumentException("one address without the other: " + source + ", " + destination);
        }
    }

    /** Returns this header for another client; unchanged if it contains no addresses. */
    public ProxyHeader from(InetSocketAddress client) {
        return destination == null ? this : new ProxyHeader(client, destination);
    }
}
