package dev.lychgate.origin;

import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.UpstreamProtocol;
import dev.lychgate.proxyprotocol.ProxyAnnouncement;
import dev.lychgate.proxyprotocol.ProxyHeader;
import dev.lychgate.tls.OriginTls;
import org.jspecify.annotations.Nullable;

/**
 * Where a connection leads, and who must answer there. Connections to equal destinations are as good as each other.
 *
 * @param address the endpoint
 * @param tls how TLS is spoken there; there if, and only if, the address says that it is
 * @param name the host name, or IP address, that the certificate must be for; empty without TLS
 * @param protocol what is spoken there
 * @param announcement what is said first by the PROXY protocol; null = it is not spoken. One of a single client is for his
 *     requests alone
 * @param dns how the host is resolved; non-null if, and only if, it is a name
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
            // Never to be guessed: what was meant for TLS must not leave without.
            throw new IllegalArgumentException("TLS for one of address and settings alone: " + address);
        }
        if (address.isName() != (dns != null)) {
            // Never guessed either: another DNS server may know another host by the same name.
            throw new IllegalArgumentException("DNS settings are for host names, and required there: " + address);
        }
    }

    /** One at an IP address where HTTP/1.1 is spoken, without TLS. */
    public static Destination plain(EndpointAddress address) {
        return new Destination(address, null, "", UpstreamProtocol.HTTP_1_1, null, null);
    }

    /** Another port of the same host. */
    public Destination withPort(int port) {
        return new Destination(address.withPort(port), tls, name, protocol, announcement, dns);
    }

    /** The same, where that is spoken and nothing else. */
    public Destination speaking(UpstreamProtocol only) {
        return new Destination(address, tls, name, only, announcement, dns);
    }

    /** The same, for one client; where the PROXY protocol is not spoken there is no difference. */
    public Destination onBehalfOf(ProxyHeader client) {
        return announcement == null
                ? this
                : new Destination(
                        address, tls, name, protocol, new ProxyAnnouncement(announcement.version(), client), dns);
    }
}
