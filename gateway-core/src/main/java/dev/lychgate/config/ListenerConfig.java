package dev.lychgate.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One listener: a bound port with its settings. */
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
        @Nullable ProxyProtocolConfig proxyProtocol,
        List<String> rateLimit,
        @Nullable ClientProtectionConfig clientProtection,
        @Nullable AuthenticateConfig authenticate)
        implements WrittenConfig.Section {
    /** All protocols, HTTP/2 first. */
    public static final List<ListenerProtocol> ALL = List.of(ListenerProtocol.H2, ListenerProtocol.HTTP_1_1);

    private static final Key<String> NAME = Key.typed("name", Form.NAMED, "unnamed")
            .required("a name, unique among listeners")
            .unique("a name that no other listener has")
            .about("the name in logs and metrics, unique among listeners");
    private static final Key<BindAddress> ADDRESS = Key.typed(
                    "address", Form.text("`host:port`", BindAddress::parse), BindAddress.LOOPBACK)
            .required("host:port, such as 0.0.0.0:8080")
            .about("the address to bind: an IP address or `localhost`, IPv6 in brackets; port 0 = any free port; "
                    + "with any other port, no other listener may have the same address");
    private static final Key<SocketOptions> SOCKET =
            Key.section("socket", SocketOptions.KEYS).about("the socket settings");
    private static final Key<ListenerLimits> LIMITS =
            Key.section("limits", ListenerLimits.KEYS).about("the limits of connections and requests of clients");
    private static final Key<ListenerTimeouts> TIMEOUTS =
            Key.section("timeouts", ListenerTimeouts.KEYS).about("the timeouts of clients; checked every 100 ms");
    private static final Key<PathPolicy> PATHS = Key.section("paths", PathPolicy.KEYS)
            .about("the kinds of unsafe paths that are accepted; by default, every unsafe path is rejected with 400");
    private static final Key<List<ListenerProtocol>> PROTOCOLS = Key.typed(
                    "protocols",
                    Form.list(Form.choice(ListenerProtocol.class, ListenerProtocol::alpn))
                            .distinct(),
                    ALL)
            .atLeast(1)
            .about("the protocols, in the order of preference: negotiated in the TLS handshake (ALPN); "
                    + "without TLS, HTTP/2 is detected by its connection preface");
    private static final Key<Http2Config> HTTP2 =
            Key.section("http2", Http2Config.KEYS).about("the limits of HTTP/2 clients, see [HTTP/2](http2.md)");
    private static final Key<List<Cidr>> TRUSTED_PROXIES = Key.list("trusted-proxies", Form.ADDRESS_BLOCK)
            .about("the peers that may send [forwarding fields](http1.md#forwarding-fields); the fields of "
                    + "all other peers are removed or replaced");
    private static final Key<ClientAddressConfig> CLIENT_ADDRESS = Key.section(
                    "client-address", ClientAddressConfig.KEYS)
            .about("the rule that determines the [client](client-address.md) behind a trusted proxy; needs "
                    + "`trusted-proxies`");
    private static final Key<Boolean> FORWARDED =
            Key.flag("forwarded", false).about("sends the `Forwarded` field (RFC 7239) in addition to `X-Forwarded-*`");
    private static final Key<TlsConfig> TLS = Key.section("tls", null, () -> TlsConfig.KEYS)
            .absent("no TLS")
            .about("the [TLS](tls.md) settings; paths are relative to this file, and the files are watched");
    private static final Key<Integer> HTTPS_PORT =
            Key.number("port", 443).between(1, 65535).about("the port of HTTPS");
    private static final Key<Integer> REDIRECT_TO_HTTPS = Key.section("redirect-to-https", 0, ListenerConfig::httpsPort)
            .absent("no")
            .about("responds to each request with 308 and the same URL with `https`, before any filter or route. "
                    + "Requests for `/.well-known/acme-challenge/` are routed as usual. Not together with `tls`; `{}` "
                    + "= the default port");
    private static final Key<ProxyProtocolConfig> PROXY_PROTOCOL = Key.section(
                    "proxy-protocol", null, () -> ProxyProtocolConfig.KEYS)
            .absent("no")
            .about("the proxies that send a header of the [PROXY protocol](proxy-protocol.md), version 1 or "
                    + "2, at the start of each connection");

    private static final Key<List<String>> RATE_LIMIT = Key.typed("rate-limit", Form.oneOrList(Form.NAMED), List.of())
            .absent("no limits")
            .about("the [rate limits](rate-limits.md) of all requests of the listener, by name: each of these limits "
                    + "counts a request, before any filter and before the route match");

    private static final Key<ClientProtectionConfig> CLIENT_PROTECTION = Key.section(
                    "client-protection", null, () -> ClientProtectionConfig.KEYS)
            .absent("no protection")
            .about(
                    "the [protection](client-protection.md) against single clients: lists of addresses, limits for each client, and bans");

    private static final Key<AuthenticateConfig> AUTHENTICATE = Key.typed(
                    "authenticate",
                    AccessConfig.SECTION.or(Form.words(List.of("off"), word -> AuthenticateConfig.OFF)),
                    null)
            .absent("as at the top level")
            .about("the [authentication](identity.md) of the requests of the listener, instead of the"
                    + " authentication of the top level; `off` ="
                    + " none");

    public ListenerConfig {
        NAME.check(name);
        rateLimit = Expect.copy(rateLimit);
        if (redirectToHttps != 0) {
            HTTPS_PORT.check(redirectToHttps);
        }
        protocols = Expect.copy(protocols);
        Expect.that(
                !protocols.isEmpty() && protocols.stream().distinct().count() == protocols.size(),
                "protocols",
                protocols.stream().map(ListenerProtocol::alpn).toList(),
                "h2, http/1.1 or both, each once");
        trustedProxies = Expect.copy(trustedProxies);
        Expect.that(
                !trustedProxies.isEmpty() || clientAddress.isDefault(),
                "client-address",
                "set without trusted-proxies",
                "only together with trusted-proxies, because the gateway reads this header only from trusted proxies");
        Expect.that(
                tls == null || redirectToHttps == 0,
                "redirect-to-https",
                "set together with tls",
                "a separate listener without tls");
    }

    static ListenerConfig read(Key.Values values) {
        return new ListenerConfig(
                values.get(NAME),
                values.get(ADDRESS),
                values.get(SOCKET),
                values.get(LIMITS),
                values.get(TIMEOUTS),
                values.get(PATHS),
                values.get(PROTOCOLS),
                values.get(HTTP2),
                values.get(TRUSTED_PROXIES),
                values.get(CLIENT_ADDRESS),
                values.get(FORWARDED),
                values.get(TLS),
                values.get(REDIRECT_TO_HTTPS),
                values.get(PROXY_PROTOCOL),
                values.get(RATE_LIMIT),
                values.get(CLIENT_PROTECTION),
                values.get(AUTHENTICATE));
    }

    private static int httpsPort(Key.Values values) {
        int port = values.get(HTTPS_PORT);
        HTTPS_PORT.check(port);
        return port;
    }

    @Override
    public void complete(Map<String, @Nullable Object> section) {
        Object port = redirectToHttps == 0 ? null : Map.of(HTTPS_PORT.name(), redirectToHttps);
        section.put(REDIRECT_TO_HTTPS.name(), port);
    }

    /** Returns whether the listener supports {@code protocol}. */
    public boolean speaks(ListenerProtocol protocol) {
        return protocols.contains(protocol);
    }

    /**
     * Returns this listener with these TLS settings.
     *
     * @param other null = without TLS
     */
    public ListenerConfig withTls(@Nullable TlsConfig other) {
        return Copy.of(this, "tls", other);
    }

    /** Returns this listener with a redirect of all requests to the port {@code httpsPort}. */
    public ListenerConfig redirectingTo(int httpsPort) {
        return Copy.of(this, "redirectToHttps", httpsPort);
    }

    /**
     * Returns this listener with these PROXY protocol settings.
     *
     * @param other null = without the PROXY protocol
     */
    public ListenerConfig withProxyProtocol(@Nullable ProxyProtocolConfig other) {
        return Copy.of(this, "proxyProtocol", other);
    }

    /**
     * Returns this listener with these rate limits.
     *
     * @param names the names of the limits
     */
    public ListenerConfig withRateLimit(String... names) {
        return Copy.of(this, "rateLimit", List.of(names));
    }

    /** Returns this listener with another protection against individual clients; null = no protection. */
    public ListenerConfig withClientProtection(@Nullable ClientProtectionConfig other) {
        return Copy.of(this, "clientProtection", other);
    }

    /** Returns this listener with the given authentication; null = the authentication of the top level. */
    public ListenerConfig withAuthenticate(@Nullable AuthenticateConfig other) {
        return Copy.of(this, "authenticate", other);
    }

    /** Creates a listener with this name and address, and with the defaults for all other components. */
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
                null,
                List.of(),
                null,
                null);
    }
}
