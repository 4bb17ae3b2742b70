package dev.lychgate.proxyprotocol;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The two addresses in a PROXY protocol header. Either both are present, or neither is.
 *
 * @param source the address of the client; null if it is unknown, or if the proxy opened the connection itself, such as
 *     for a health check
 * @param destination the address to which the client connected; null if {@code source} is null
 */
public record ProxyHeader(
        @Nullable InetSocketAddress source, @Nullable InetSocketAddress destination) {
    /** A header without addresses: LOCAL, UNKNOWN, or an address family other than IP. */
    public static final ProxyHeader NOBODY = new ProxyHeader(null, null);

    public ProxyHeader {
        if ((source == null) != (destination == null)) {
            throw new IllegalArgumentException(
                    "source and destination must both be null or both be present: " + source + ", " + destination);
        }
    }

    /**
     * Returns a copy of this header with {@code client} as the client's address. Returns this object if the header
     * contains no addresses.
     */
    public ProxyHeader from(InetSocketAddress client) {
        return destination == null ? this : new ProxyHeader(client, destination);
    }
}
