package dev.lychgate.config;

import java.util.List;

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
 */
public record ListenerConfig(
        String name,
        BindAddress address,
        SocketOptions socket,
        ListenerLimits limits,
        ListenerTimeouts timeouts,
        PathPolicy paths,
        List<Cidr> trustedProxies,
        boolean forwarded) {
    public ListenerConfig {
        Expect.name("name", name);
        trustedProxies = Expect.copy(trustedProxies);
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
