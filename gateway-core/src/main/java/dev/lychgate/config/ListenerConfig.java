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
 * @param clientAddress how the client behind a trusted proxy is determined; needs {@code trustedProxies} unless it is the
 *     default
 * @param protocols what is spoken on it, in the order of preference; each once, at least one; default all
 * @param http2 what it takes of clients that speak HTTP/2
 * @param forwarded whether the {@code Forwarded} field (RFC 7239) is sent on beside X-Forwarded-*; default off
 * @param tls how TLS is spoken; null = not at all, the default
 * @param redirectToHttps the port where HTTPS is spoken, to which everybody is sent but those who answer challenges of
 *     certificate authorities; 0 = nobody, the default
 * @param proxyProtocol whose connections begin with a header of the PROXY protocol; null = nobody's, the default
 */
public record ListenerConfig(
        String name,
        BindAddress address,
        SocketOptions socket,
        ListenerLimits limits,
        ListenerTimeouts timeouts,
        PathPolicy paths,
        List<ListenerProtocol> protocols,
        Http2Config http2,
        List<Cidr> trustedProxies,
        ClientAddressConfig clientAddress,
        boolean forwarded,
        @Nullable TlsConfig tls,
        int redirectToHttps,
        @Nullable ProxyProtocolConfig proxyProtocol) {
    /** All there are, HTTP/2 first. */
    public static final List<ListenerProtocol> ALL = List.of(ListenerProtocol.H2, ListenerProtocol.HTTP_1_1);

    public ListenerConfig {
        protocols = Expect.copy(protocols);
        Expect.that(
                !protocols.isEmpty() && protocols.stream().distinct().count() == protocols.size(),
                "protocols",
                protocols.stream().map(ListenerProtocol::alpn).toList(),
                "h2, http/1.1 or both, each once");
        Expect.name("name", name);
        trustedProxies = Expect.copy(trustedProxies);
        Expect.that(
                !trustedProxies.isEmpty() || clientAddress.equals(ClientAddressConfig.DEFAULT),
                "client-address",
                "without trusted-proxies",
                "trusted-proxies beside it: the header of any other peer is not read");
        Expect.between(0, 65535, "redirect-to-https", redirectToHttps);
        Expect.that(
                tls == null || redirectToHttps == 0,
                "redirect-to-https",
                "beside tls",
                "a listener of its own, without tls");
    }

    /** Whether {@code protocol} is spoken on it. */
    public boolean speaks(ListenerProtocol protocol) {
        return protocols.contains(protocol);
    }

    /** This listener with TLS, with other TLS, or without. */
    public ListenerConfig withTls(@Nullable TlsConfig other) {
        return new ListenerConfig(
                name,
                address,
                socket,
                limits,
                timeouts,
                paths,
                protocols,
                http2,
                trustedProxies,
                clientAddress,
                forwarded,
                other,
                redirectToHttps,
                proxyProtocol);
    }

    /** This listener, which sends everybody to that port. */
    public ListenerConfig redirectingTo(int httpsPort) {
        return new ListenerConfig(
                name,
                address,
                socket,
                limits,
                timeouts,
                paths,
                protocols,
                http2,
                trustedProxies,
                clientAddress,
                forwarded,
                tls,
                httpsPort,
                proxyProtocol);
    }

    /** This listener, where others begin with a header of the PROXY protocol; null = nobody. */
    public ListenerConfig withProxyProtocol(@Nullable ProxyProtocolConfig other) {
        return new ListenerConfig(
                name,
                address,
                socket,
                limits,
                timeouts,
                paths,
                protocols,
                http2,
                trustedProxies,
                clientAddress,
                forwarded,
                tls,
                redirectToHttps,
                other);
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
                ALL,
                Http2Config.DEFAULT,
                List.of(),
                ClientAddressConfig.DEFAULT,
                false,
                null,
                0,
                null);
    }
}
