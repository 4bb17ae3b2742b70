package dev.lychgate.server.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.AdminConfig;
import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.BindAddress;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.ClientAddressConfig;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.HashSource;
import dev.lychgate.config.ListenerLimits;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.PoolConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.ServiceConfig;
import dev.lychgate.config.Transport;
import dev.lychgate.config.UpstreamConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigReaderTest {
    private static final String SMALLEST = """
            listeners:
              - { name: main, address: "0.0.0.0:8080" }
            routes:
              - id: api
                match: { path: "/api/**" }
                upstream: api
            upstreams:
              api:
                endpoints: ["http://127.0.0.1:9000", "http://127.0.0.1:9001"]
            admin: { address: "127.0.0.1:8081" }
            """;

    @Test
    void readsTheSmallestUsefulFileWithEveryDefault() throws FaultyConfigException {
        GatewayConfig config = read(SMALLEST);

        assertThat(config.workers()).isZero();
        assertThat(config.transport()).isEqualTo(Transport.AUTO);
        assertThat(config.drain()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.accessLog()).isEqualTo(AccessLogConfig.DEFAULT);
        assertThat(config.admin()).isEqualTo(new AdminConfig(new BindAddress("127.0.0.1", 8081)));
        assertThat(config.listeners()).singleElement().satisfies(l -> {
            assertThat(l.address()).hasToString("0.0.0.0:8080");
            assertThat(l.limits()).isEqualTo(ListenerLimits.DEFAULT);
        });
        assertThat(config.routes()).singleElement().satisfies(r -> {
            assertThat(r.action()).isEqualTo(new RouteAction.Proxy("api"));
            assertThat(r.timeouts()).isEqualTo(RouteTimeouts.UNSET);
        });
        assertThat(config.upstreams().get("api")).satisfies(u -> {
            assertThat(u.endpoints())
                    .containsExactly(new EndpointConfig("127.0.0.1", 9000), new EndpointConfig("127.0.0.1", 9001));
            assertThat(u.pool()).isEqualTo(PoolConfig.DEFAULT);
        });
    }

    @Test
    void readsEveryKeyOfAListener() throws FaultyConfigException {
        var listener = read("""
                        listeners:
                          - name: edge
                            address: "[::1]:0"
                            socket: { backlog: 16, reuse-port: true, receive-buffer: 64KiB, send-buffer: 1MiB, low-watermark: 2KiB, high-watermark: 4KiB, splice: 0 }
                            limits: { connections: 10, start-line: 1KiB, header-count: 20, header-bytes: 2KiB, body: 3MiB }
                            timeouts: { request-head: 1s, request-body: 2s, idle: 3s, write: 4s }
                            paths: { allow-encoded-slash: true, allow-backslash: true, allow-control: true, allow-dot-parameters: true, allow-above-root: true, allow-non-ascii: true }
                            trusted-proxies: ["10.0.0.0/8", "::1"]
                            client-address: { header: X-Real-IP, hops: 2 }
                            forwarded: true
                        """).listeners().get(0);

        assertThat(listener.socket().backlog()).isEqualTo(16);
        assertThat(listener.socket().reusePort()).isTrue();
        assertThat(listener.socket().receiveBuffer()).isEqualTo(ByteSize.ofKiB(64));
        assertThat(listener.socket().highWatermark()).isEqualTo(ByteSize.ofKiB(4));
        assertThat(listener.socket().splice()).isEqualTo(new ByteSize(0));
        assertThat(listener.limits().body()).isEqualTo(ByteSize.ofMiB(3));
        assertThat(listener.timeouts().write()).isEqualTo(Duration.ofSeconds(4));
        assertThat(listener.paths().allowNonAscii()).isTrue();
        assertThat(listener.trustedProxies()).containsExactly(Cidr.parse("10.0.0.0/8"), Cidr.parse("::1"));
        assertThat(listener.clientAddress()).isEqualTo(new ClientAddressConfig("x-real-ip", 2));
        assertThat(listener.forwarded()).isTrue();
    }

    @Test
    void readsTheLengthFromWhichBodiesAreSpliced() throws FaultyConfigException {
        var listener = read("""
                        listeners: [{ name: main, address: "127.0.0.1:0", socket: { splice: 128KiB } }]
                        """).listeners().get(0);

        assertThat(listener.socket().splice()).isEqualTo(ByteSize.ofKiB(128));
    }

    @Test
    void readsEveryKeyOfARoute() throws FaultyConfigException {
        var routes = read("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        routes:
                          - id: api
                            order: -5
                            match:
                              host: ["a.example.com", "*.example.org"]
                              path: "/api/{version}/**"
                              methods: [GET, POST]
                              headers: { x-beta: "yes" }
                              query: { page: "regex:[0-9]+" }
                              clients: ["192.168.0.0/16"]
                              weight: { group: api, share: 5 }
                            rewrite: { strip-prefix: 1, set-host: origin }
                            upstream: api
                            timeouts: { acquire: 1s, connect: 250ms, response-head: 3s, response-body: 4m, exchange: 0 }
                          - { id: raw, match: { host: a.example.com }, path: { forward: raw }, upstream: api }
                          - { id: old, redirect: { status: 308, location: "https://example.com{path}{query}" } }
                          - { id: fixed, respond: { status: 200, headers: { content-type: text/plain }, body: hello } }
                        upstreams:
                          api: { endpoints: [{ url: "http://10.0.0.1" }], pool: { connections: 1, pending: 0, idle: 1s, lifetime: 0, requests: 9 } }
                        """).routes();

        assertThat(routes.get(0).order()).isEqualTo(-5);
        assertThat(routes.get(0).match())
                .isEqualTo(new MatchConfig(
                        List.of("a.example.com", "*.example.org"),
                        "/api/{version}/**",
                        List.of("GET", "POST"),
                        Map.of("x-beta", "yes"),
                        Map.of("page", "regex:[0-9]+"),
                        List.of(Cidr.parse("192.168.0.0/16")),
                        new MatchConfig.Weight("api", 5)));
        assertThat(routes.get(0).rewrite().setHost()).isEqualTo("origin");
        assertThat(routes.get(0).timeouts().connect()).isEqualTo(Duration.ofMillis(250));
        assertThat(routes.get(1).match().hosts()).containsExactly("a.example.com");
        assertThat(routes.get(1).match().weight()).isNull();
        assertThat(routes.get(1).rewrite().forwardRaw()).isTrue();
        assertThat(routes.get(2).action()).isEqualTo(new RouteAction.Redirect(308, "https://example.com{path}{query}"));
        assertThat(routes.get(3).action())
                .isEqualTo(new RouteAction.Respond(200, Map.of("content-type", "text/plain"), "hello"));
    }

    @Test
    void readsPredicatesOnCookiesSchemeAndListenersAndGroupsOfThem() throws Exception {
        MatchConfig match = read("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        routes:
                          - id: all
                            match:
                              cookies: { beta: "yes" }
                              scheme: https
                              listeners: [main]
                              not: [{ path: "/private/**" }, { methods: [POST], clients: ["10.0.0.0/8"] }]
                              any: [{ host: a.example.com }, { headers: { x-beta: "yes" } }]
                            respond: { status: 200 }
                        """).routes().get(0).match();

        assertThat(match.cookies()).isEqualTo(Map.of("beta", "yes"));
        assertThat(match.scheme()).isEqualTo(MatchConfig.Scheme.HTTPS);
        assertThat(match.listeners()).containsExactly("main");
        assertThat(match.not().get(0)).isEqualTo(MatchConfig.path("/private/**"));
        assertThat(match.not().get(1).methods()).containsExactly("POST");
        assertThat(match.not().get(1).clients()).containsExactly(Cidr.parse("10.0.0.0/8"));
        assertThat(match.any().get(0).hosts()).containsExactly("a.example.com");
        assertThat(match.any().get(1).headers()).isEqualTo(Map.of("x-beta", "yes"));
    }

    @Test
    void readsNamesOfDns() throws Exception {
        GatewayConfig config = read("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        upstreams:
                          api:
                            endpoints:
                              - http://api.test:9000
                              - { url: "http://10.0.0.1:9000", host: other.test }
                              - { srv: _http._tcp.api.test, zone: b, priority: 3, metadata: { version: v2 } }
                            dns: { servers: [10.0.0.2, "[::1]:8600"], family: both, min-ttl: 5s, max-ttl: 1h, timeout: 1s }
                        """);

        assertThat(api(config).endpoints())
                .containsExactly(
                        EndpointConfig.parse("http://api.test:9000"),
                        new EndpointConfig(
                                EndpointAddress.parse("http://10.0.0.1:9000"), 1, "", 0, Map.of(), "other.test"));
        assertThat(api(config).services())
                .containsExactly(new ServiceConfig("_http._tcp.api.test", "b", 3, Map.of("version", "v2")));
        assertThat(api(config).dns())
                .isEqualTo(new DnsConfig(
                        List.of(new EndpointAddress("10.0.0.2", 53), new EndpointAddress("::1", 8600)),
                        AddressFamily.BOTH,
                        Duration.ofSeconds(5),
                        Duration.ofHours(1),
                        Duration.ofSeconds(1)));
    }

    @Test
    void readsEveryKeyOfBalancing() throws FaultyConfigException {
        GatewayConfig config = read("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        routes: [{ id: next, upstream: api, subset: { version: v2 } }]
                        upstreams:
                          api:
                            endpoints:
                              - { url: "http://10.0.0.1:9000", weight: 5, zone: a, priority: 1, metadata: { version: v2, build: "7" } }
                              - http://10.0.0.2:9000
                            balance:
                              algorithm: consistent-hash
                              hash: { cookie: sid }
                              load-bound: 125%
                              slow-start: 30s
                              zone: a
                              spill-below: 80%
                              panic-below: 0
                        """);

        assertThat(api(config).endpoints())
                .containsExactly(
                        new EndpointConfig(
                                EndpointAddress.parse("http://10.0.0.1:9000"),
                                5,
                                "a",
                                1,
                                Map.of("version", "v2", "build", "7")),
                        EndpointConfig.parse("http://10.0.0.2:9000"));
        assertThat(api(config).balance())
                .isEqualTo(new BalanceConfig(
                        Algorithm.CONSISTENT_HASH,
                        new HashSource.Cookie("sid"),
                        new Percent(125),
                        Duration.ofSeconds(30),
                        "a",
                        new Percent(80),
                        new Percent(0)));
        assertThat(config.routes().get(0).action()).isEqualTo(new RouteAction.Proxy("api", Map.of("version", "v2")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"path", "client-ip", "{ header: x-user }", "{ query: user }"})
    void readsTheSourcesOfAHash(String source) throws FaultyConfigException {
        assertThat(api(read("""
                        listeners: [{ name: main, address: "127.0.0.1:0" }]
                        upstreams: { api: { endpoints: ["http://10.0.0.1"], balance: { algorithm: consistent-hash, hash: %s } } }
                        """.formatted(source))).balance().hash())
                .isEqualTo(Map.of(
                                "path", new HashSource.Path(),
                                "client-ip", new HashSource.ClientIp(),
                                "{ header: x-user }", new HashSource.Header("x-user"),
                                "{ query: user }", new HashSource.Query("user"))
                        .get(source));
    }

    private static UpstreamConfig api(GatewayConfig config) {
        return Objects.requireNonNull(config.upstreams().get("api"));
    }

    @Test
    void readsTheTopLevel() throws FaultyConfigException {
        GatewayConfig config = read("""
                workers: 3
                transport: io_uring
                drain: { timeout: 5s }
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                access-log: { format: off, file: logs/access.log, queue: 1024 }
                """);

        assertThat(config.workers()).isEqualTo(3);
        assertThat(config.transport()).isEqualTo(Transport.IO_URING);
        assertThat(config.drain()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.routes()).isEmpty();
        assertThat(config.admin()).isNull();
        assertThat(config.accessLog())
                .isEqualTo(new AccessLogConfig(AccessLogConfig.Format.OFF, "logs/access.log", 1024));
    }

    @Test
    void acceptsAByteOrderMarkAndWindowsLineEndings() throws FaultyConfigException {
        byte[] bytes = ("\uFEFF" + SMALLEST.replace("\n", "\r\n")).getBytes(UTF_8);

        assertThat(read(YamlSource.decode("gateway.yml", bytes)).listeners()).hasSize(1);
    }

    private static GatewayConfig read(String yaml) throws FaultyConfigException {
        return new ConfigReader(name -> null).read("gateway.yml", yaml).config();
    }
}
