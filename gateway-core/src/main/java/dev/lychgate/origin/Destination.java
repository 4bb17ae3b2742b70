package dev.lychgate.origin;

import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.proxyprotocol.ProxyAnnouncement;
import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.tls.OriginTls;
import org.jspecify.annotations.Nullable;

/**
 * Endpoint to connect to, with the identity that it must prove and the protocol that it must use. Connections to equal
 * destinations are interchangeable.
 *
 * @param address the endpoint
 * @param tls TLS settings; non-null if, and only if, the address is secure
 * @param name the host name or IP address for which the certificate must be valid; empty without TLS
 * @param protocol the application protocol
 * @param announcement PROXY protocol header to send first; null for none. A header for one client restricts the
 *     connection to the requests of that client
 * @param dns DNS settings of the host; non-null if, and only if, the address is a host name
 */
public record Destination(
        EndpointAddress address,
        @Nullable OriginTls tls,
        String name,
        UpstreamProtocol protocol,
        @Nullable ProxyAnnouncement announcement,
        @Nullable DnsConfig dns) {
    public Destination {
        if (address.secure() != (tls != null)) {
            // Refused instead of guessed, because data that requires TLS must not be sent without TLS.
            throw new IllegalArgumentException(
                    "TLS settings are required for a secure address, and only for it: " + address);
        }
        if (address.isName() != (dns != null)) {
            // Refused instead of guessed, because another DNS server may resolve the same name to another host.
            throw new IllegalArgumentException("DNS settings are for host names, and required there: " + address);
        }
    }

    /** Returns a destination at an IP address that uses HTTP/1.1 without TLS. */
    public static Destination plain(EndpointAddress address) {
        return new Destination(address, null, "", UpstreamProtocol.HTTP_1_1, null, null);
    }

    /** Returns the same destination at another port of the host. */
    public Destination withPort(int port) {
        return new Destination(address.withPort(port), tls, name, protocol, announcement, dns);
    }

    /** Returns the same destination, restricted to the protocol {@code only}. */
    public Destination speaking(UpstreamProtocol only) {
        return new Destination(address, tls, name, only, announcement, dns);
    }

    /**
     * Returns the same destination with a PROXY protocol header for {@code client}; unchanged if the PROXY protocol is
     * not used.
     */
    public Destination onBehalfOf(ProxyHeader client) {
        return announcement == null
                ? this
                : new Destination(
                        address, tls, name, protocol, new ProxyAnnouncement(announcement.version(), client), dns);
    }
}
