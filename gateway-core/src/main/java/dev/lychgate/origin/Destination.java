package dev.lychgate.origin;

import dev.lychgate.config.EndpointAddress;
import dev.lychgate.tls.OriginTls;
import org.jspecify.annotations.Nullable;

/**
 * Where a connection leads, and who must answer there. Connections to equal destinations are as good as each other.
 *
 * @param address the endpoint
 * @param tls how TLS is spoken there; there if, and only if, the address says that it is
 * @param name the host name, or IP address, that the certificate must be for; empty without TLS
 */
public record Destination(EndpointAddress address, @Nullable OriginTls tls, String name) {
    public Destination {
        if (address.secure() != (tls != null)) {
            // Never to be guessed: what was meant for TLS must not leave without.
            throw new IllegalArgumentException("TLS for one of address and settings alone: " + address);
        }
    }

    /** One where TLS is not spoken. */
    public static Destination plain(EndpointAddress address) {
        return new Destination(address, null, "");
    }

    /** Another port of the same host. */
    public Destination withPort(int port) {
        return new Destination(address.withPort(port), tls, name);
    }
}
