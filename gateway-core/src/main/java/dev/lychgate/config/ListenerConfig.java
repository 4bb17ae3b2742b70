package dev.lychgate.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One bound port.
 *
 * @param name unique among listeners; stands in logs and metrics
 * @param address where it binds
 * @param socket socket settings
 * @param limits what it takes from clients
 * @param timeouts how long it waits for clients
 * @param paths which unsafe paths it lets through
 * @param trustedProxies peers whose forwarding fields (X-Forwarded-*, Forwarded, X-Request-Id) are believed; from all
 *     others they are replaced
 * @param forwarded whether the {@code Forwarded} field (RFC 7239) is sent on beside X-Forwarded-*; default off
 * @param tls how TLS is spoken; null = not at all, the default
 * @param redirectToHttps the port where HTTPS is spoken, to which everybody is sent but those who answer challenges of
 *     certificate authorities; 0 = nobody, the default
 */
public record ListenerConfig(
        String name,
        BindAddress address,
        SocketOptions socket,
        ListenerLimits limits,
        ListenerTimeouts timeouts,
        PathPolicy paths,
        List<Cidr> trustedProxies,
        boolean forwarded,
        @Nullable TlsConfig tls,
        int redirectToHttps) {
    public ListenerConfig {
        Expect.name("name", name);
        trustedProxies = Expect.copy(trustedProxies);
        Expect.between(0, 65535, "redirect-to-https", redirectToHttps);
        Expect.that(
                tls == null || redirectToHttps == 0,
                "redirect-to-https",
                "beside tls",
                "a listener of its own, without tls");
    }

    /** A listener that speaks no TLS. */
    public ListenerConfig(
            String name,
            BindAddress address,
            SocketOptions socket,
            ListenerLimits limits,
            ListenerTimeouts timeouts,
            PathPolicy paths,
            List<Cidr> trustedProxies,
            boolean forwarded) {
        this(name, address, socket, limits, timeouts, paths, trustedProxies, forwarded, null, 0);
    }

    /** This listener with TLS, with other TLS, or without. */
    public ListenerConfig withTls(@Nullable TlsConfig other) {
        return new ListenerConfig(
                name, address, socket, limits, timeouts, paths, trustedProxies, forwarded, other, redirectToHttps);
    }

    /** This listener, which sends everybody to that port. */
    public ListenerConfig redirectingTo(int httpsPort) {
        return new ListenerConfig(
                name, address, socket, limits, timeouts, paths, trustedProxies, forwarded, tls, httpsPort);
    }

    /** A listener with every default. */
    public static ListenerConfig of(String name, BindAddress address) {
        return new ListenerConfig(
                name,
                address,
                SocketOptions.DEFAULT,
                ListenerLimits.DEFAULT,
                ListenerTimeouts.DEFAULT,
                PathPolicy.STRICT,
                List.of(),
                false);
    }
}
