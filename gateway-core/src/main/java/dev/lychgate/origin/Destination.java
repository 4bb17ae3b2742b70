package dev.lychgate.origin;

import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.proxyprotocol.ProxyAnnouncement;
import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.tls.OriginTls;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint to which the gateway connects, with the identity that the endpoint must prove and the protocol that it
 * must use. Connections to equal destinations are interchangeable.
 *
 * @param address the endpoint
 * @param tls the TLS settings; null if, and only if, the address does not require TLS
 * @param name the host name or IP address for which the origin's certificate must be valid; empty without TLS
 * @param protocol the application protocol
 * @param announcement the PROXY protocol header that the gateway sends first; null if it sends none. If the header
 *     announces a client, the connection carries only requests of this client
 * @param dns the DNS settings of the host; null if, and only if, the address is an IP address
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
            // A mismatch is refused, because data that requires TLS must not be sent without TLS.
            throw new IllegalArgumentException(
                    "an address that requires TLS needs TLS settings, and no other address may have them: " + address);
        }
        if (address.isName() != (dns != null)) {
            // Missing DNS settings are refused, because another DNS server may resolve the same name to another host.
            throw new IllegalArgumentException(
                    "a host name needs DNS settings, and no other address may have them: " + address);
        }
    }

    /** Returns a destination at an IP address that uses HTTP/1.1 without TLS. */
    public static Destination plain(EndpointAddress address) {
        return new Destination(address, null, "", UpstreamProtocol.HTTP_1_1, null, null);
    }

    /** Returns a copy of this destination with another port of the host. */
    public Destination withPort(int port) {
        return new Destination(address.withPort(port), tls, name, protocol, announcement, dns);
    }

    /** Returns a copy of this destination that permits the protocol {@code only} and no other protocol. */
    public Destination speaking(UpstreamProtocol only) {
        return new Destination(address, tls, name, only, announcement, dns);
    }

    /**
     * Returns a copy of this destination that announces {@code client} in the PROXY protocol header. Returns this
     * object if the destination does not use the PROXY protocol.
     */
    public Destination onBehalfOf(ProxyHeader client) {
        return announcement == null
                ? this
                : new Destination(
                        address, tls, name, protocol, new ProxyAnnouncement(announcement.version(), client), dns);
    }
}
