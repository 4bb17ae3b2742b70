package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.Algorithm;
import dev.lychgate.config.BalanceConfig;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.ListenerConfig;
import dev.lychgate.config.MatchConfig;
import dev.lychgate.config.PersistenceConfig;
import dev.lychgate.config.ProxyVersion;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.TlsConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.Headers;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import dev.lychgate.testing.TlsClient;
import io.netty.util.NetUtil;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The client behind trusted proxies, on real sockets. A filter sends the client address to the origin in {@code x-seen-client}, and
 * the origin responds with it.
 */
@Tag("slow")
class ClientAddressTest {
    private static final String ELSEWHERE = "198.51.100.0/24";

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    private static final class Shows implements InboundFilter, SyncFilter {
        @Override
        public String name() {
            return "shows";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            Headers headers = exchange.getRequest().getHeaders();
            headers.set("x-seen-client", NetUtil.toAddressString(exchange.getClientAddress()));
            headers.set("x-seen-peer", NetUtil.toAddressString(exchange.getPeerAddress()));
            return FilterOutcome.proceed();
        }
    }

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering(
                (r, c) -> c.send(Responses.ok(r.value("x-seen-client").orElse("none"))));
    }

    private static Setup trusting(ScriptedOrigin origin) {
        return Setup.to(origin.address()).trusting("127.0.0.0/8").filters(FilterSet.of(new Shows()));
    }

    private static String get(RawClient client, String... fields) throws Exception {
        StringBuilder request = new StringBuilder("GET / HTTP/1.1\r\nHost: a.test\r\n");
        for (String field : fields) {
            request.append(field).append("\r\n");
        }
        RawMessage response = client.send(request.append("\r\n").toString()).readResponse();
        assertThat(response.status()).isEqualTo(200);
        return response.body();
    }

    // ---- resolution

    @Test
    @Rfc("7239, 8.1")
    void eachRequestOfAProxysConnectionHasASeparateClient() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = trusting(origin).start();
                RawClient proxy = gateway.client()) {
            assertThat(get(proxy, "X-Forwarded-For: 192.0.2.7")).isEqualTo("192.0.2.7");
            assertThat(get(proxy, "X-Forwarded-For: 2001:db8::8")).isEqualTo("2001:db8::8");
            assertThat(get(proxy)).isEqualTo("127.0.0.1");
            assertThat(get(proxy, "X-Forwarded-For: 6.6.6.6, 192.0.2.9, 127.0.0.2"))
                    .isEqualTo("192.0.2.9");
            assertThat(origin.requests())
                    .extracting(r -> r.value("x-seen-peer").orElse(""))
                    .containsOnly("127.0.0.1");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For: 6.6.6.6",
                "x-forwarded-for: 6.6.6.6, 127.0.0.1",
                "X_Forwarded_For: 6.6.6.6",
                "Forwarded: for=6.6.6.6",
                "X-Real-IP: 6.6.6.6",
                "X-Real_IP: 6.6.6.6",
                "CF-Connecting-IP: 6.6.6.6",
                "CF_Connecting_IP: 6.6.6.6",
                "Connection: x-forwarded-for, cf-connecting-ip\r\nX-Forwarded-For: 6.6.6.6"
            })
    void aPeerThatIsNotTrustedIsTheClientAndItsHeadersReachNobody(String forged) throws Exception {
        for (String header : List.of("x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip")) {
            try (ScriptedOrigin origin = origin();
                    Running gateway = trusting(origin)
                            .trusting(ELSEWHERE)
                            .clientAddress(header, 0)
                            .start();
                    RawClient client = gateway.client()) {
                assertThat(get(client, forged)).isEqualTo("127.0.0.1");
                RawMessage seen = origin.requests().get(0);
                assertThat(seen.values("x-forwarded-for")).containsExactly("127.0.0.1");
                boolean unknownToTheGateway = forged.startsWith("CF") && !header.startsWith("cf");
                assertThat(seen.fields().toString().contains("6.6.6.6")).isEqualTo(unknownToTheGateway);
            }
        }
    }

    private static GatewayConfig withListeners(GatewayConfig config, ListenerConfig... listeners) {
        return new GatewayConfig(
                1,
                config.transport(),
                config.drain(),
                List.of(listeners),
                config.routes(),
                config.upstreams(),
                null,
                config.accessLog());
    }

    @ParameterizedTest
    @ValueSource(strings = {"CF-Connecting-IP", "cf_connecting_ip", "Cf.Connecting-IP"})
    @Rfc("7239, 8.1")
    void aHeaderThatOneListenerNamesIsRemovedOnEveryListener(String name) throws Exception {
        try (ScriptedOrigin origin = origin()) {
            GatewayConfig config = trusting(origin)
                    .trusting(ELSEWHERE)
                    .clientAddress("CF-Connecting-IP", 0)
                    .config();
            ListenerConfig cdn = config.listeners().get(0);
            ListenerConfig plain = ListenerConfig.of("plain", cdn.address());
            try (Gateway gateway = Gateway.start(withListeners(config, cdn, plain));
                    RawClient client = RawClient.connect(gateway.address("plain"))) {
                get(client, name + ": 6.6.6.6");
                assertThat(origin.requests().get(0).fields().toString()).doesNotContain("6.6.6.6");
            }
        }
    }

    @Test
    void aHeaderThatAnotherListenerNamesPassesATrustedProxyOnlyIfItNamesTheSameClient() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            GatewayConfig config = trusting(origin).config();
            ListenerConfig inner = config.listeners().get(0);
            ListenerConfig cdn = trusting(origin)
                    .listener("cdn")
                    .clientAddress("CF-Connecting-IP", 0)
                    .config()
                    .listeners()
                    .get(0);
            try (Gateway gateway = Gateway.start(withListeners(config, inner, cdn));
                    RawClient proxy = RawClient.connect(gateway.address("main"))) {
                get(proxy, "X-Forwarded-For: 192.0.2.7", "CF-Connecting-IP: 192.0.2.7");
                get(proxy, "X-Forwarded-For: 192.0.2.7", "CF-Connecting-IP: 6.6.6.6");
                assertThat(origin.awaitRequests(2))
                        .extracting(request -> request.value("cf-connecting-ip").orElse("none"))
                        .containsExactly("192.0.2.7", "none");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // The client sends the first part, the trusted proxy appends its address.
                "X-Forwarded-For: 6.6.6.6, 192.0.2.7",
                "X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 192.0.2.7",
                "X-Forwarded-For: 127.0.0.1, 192.0.2.7",
                "X-Forwarded-For: 6.6.6.6, 127.0.0.1, 192.0.2.7",
                "X-Forwarded-For: \"6.6.6.6, 192.0.2.7",
                "X-Forwarded-For: ,,,192.0.2.7,",
                "X-Forwarded-For: for=6.6.6.6; 192.0.2.7:1, 192.0.2.7",
                "X-FORWARDED-FOR: 6.6.6.6\tx, 192.0.2.7 , 127.0.0.3",
                // Other names for the same.
                "X-Forwarded-For: 192.0.2.7\r\nForwarded: for=6.6.6.6",
                "X-Forwarded-For: 192.0.2.7\r\nX-Real-IP: 6.6.6.6",
                "X-Forwarded-For: 192.0.2.7\r\nX_Forwarded_For: 6.6.6.6",
                "X-Forwarded-For: 192.0.2.7\r\nX_Forwarded-For: 6.6.6.6\r\nX_REAL_IP: 6.6.6.6",
                "Connection: x-forwarded-for\r\nX-Forwarded-For: 192.0.2.7",
                "Connection: close, X-Forwarded-For\r\nX-Forwarded-For: 192.0.2.7"
            })
    void aClientBehindATrustedProxyCannotChooseItsAddress(String fields) throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = trusting(origin).start();
                RawClient proxy = gateway.client()) {
            assertThat(get(proxy, fields)).isEqualTo("192.0.2.7");
            RawMessage seen = origin.requests().get(0);
            assertThat(seen.value("x-forwarded-for").orElseThrow()).endsWith(", 127.0.0.1");
            assertThat(seen.fields().stream()
                            .filter(field -> !field.name().equalsIgnoreCase("x-forwarded-for"))
                            .map(RawMessage.Field::value))
                    .noneMatch(value -> value.contains("6.6.6.6"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Forwarded: for=\"6.6.6.6, for=192.0.2.7",
                "Forwarded: for=6.6.6.6;by=\"\r\nForwarded: for=192.0.2.7",
                "Forwarded: FOR=6.6.6.6, For=\"192.0.2.7:_port\";proto=http",
                "Forwarded: for=6.6.6.6, for=192.0.2.7, for=\"127.0.0.4:80\"",
                "Forwarded: for=192.0.2.7\r\nX-Forwarded-For: 6.6.6.6"
            })
    void norWhereTheProxiesSpeakForwarded(String fields) throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = trusting(origin).clientAddress("Forwarded", 0).start();
                RawClient proxy = gateway.client()) {
            assertThat(get(proxy, fields)).isEqualTo("192.0.2.7");
            assertThat(origin.requests().get(0).value("x-forwarded-for")).contains("192.0.2.7, 127.0.0.1");
        }
    }

    @Test
    void aNamedHeaderCannotBeNominatedAwayNorComeAsATrailer() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway =
                        trusting(origin).clientAddress("CF-Connecting-IP", 0).start();
                RawClient proxy = gateway.client()) {
            assertThat(get(proxy, "CF-Connecting-IP: 192.0.2.7", "Connection: cf-connecting-ip"))
                    .isEqualTo("192.0.2.7");
            proxy.send(
                    "POST / HTTP/1.1\r\nHost: a.test\r\nCF-Connecting-IP: 192.0.2.8\r\nTransfer-Encoding: chunked\r\n"
                            + "TE: trailers\r\n\r\n1\r\nx\r\n0\r\nCF_Connecting_IP: 6.6.6.6\r\nX-Sum: 1\r\n\r\n");
            assertThat(proxy.readResponse().body()).isEqualTo("192.0.2.8");
            RawMessage seen = origin.awaitRequests(2).get(1);
            assertThat(seen.value("x-forwarded-for")).contains("192.0.2.8, 127.0.0.1");
            assertThat(seen.trailers())
                    .extracting(field -> field.name().toLowerCase(Locale.ROOT))
                    .containsExactly("x-sum");
        }
    }

    @Test
    void countsHopsIfTheAddressesOfProxiesAreUnknown() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway =
                        trusting(origin).clientAddress("x-forwarded-for", 2).start();
                RawClient proxy = gateway.client()) {
            assertThat(get(proxy, "X-Forwarded-For: 6.6.6.6, 192.0.2.7, 203.0.113.1"))
                    .isEqualTo("192.0.2.7");
            assertThat(get(proxy, "X-Forwarded-For: 203.0.113.1")).isEqualTo("127.0.0.1");
            assertThat(gateway.counters().unusableClients()).isEqualTo(1);
        }
    }

    @Test
    void aLongListCostsNoMoreThanItsRequest() throws Exception {
        String list = "X-Forwarded-For: " + "127.0.0.9, ".repeat(2_000) + "x";
        try (ScriptedOrigin origin = origin();
                Running gateway = trusting(origin).start();
                RawClient proxy = gateway.client()) {
            assertThat(get(proxy, list)).isEqualTo("127.0.0.1");
            assertThat(get(proxy, list.replace(", x", ", 192.0.2.7"))).isEqualTo("192.0.2.7");
            assertThat(get(proxy, list.replace(", x", ""))).isEqualTo("127.0.0.9");
        }
    }

    // ---- HTTP/2, PROXY protocol, TLS

    @Test
    void streamsOfOneHttp2ConnectionHaveSeparateClients() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = trusting(origin).start();
                Http2Client proxy = gateway.http2()) {
            proxy.get(1, "/", "x-forwarded-for", "192.0.2.7").get(3, "/", "x-forwarded-for", "6.6.6.6, 192.0.2.8");
            proxy.get(5, "/").get(7, "/", "x-forwarded-for", "6.6.6.6", "x-forwarded-for", "192.0.2.9");
            assertThat(proxy.response(1).body()).isEqualTo("192.0.2.7");
            assertThat(proxy.response(3).body()).isEqualTo("192.0.2.8");
            assertThat(proxy.response(5).body()).isEqualTo("127.0.0.1");
            assertThat(proxy.response(7).body()).isEqualTo("192.0.2.9");
        }
    }

    private static byte[] proxyHeader(String client) {
        return ("PROXY TCP4 " + client + " 203.0.113.1 50000 8443\r\n").getBytes(US_ASCII);
    }

    @Test
    void theAddressOfAProxyHeaderDeterminesTrust() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = trusting(origin)
                        .announcedBy("127.0.0.0/8")
                        .trusting(ELSEWHERE)
                        .start();
                RawClient trusted = gateway.client();
                RawClient stranger = gateway.client()) {
            trusted.send(proxyHeader("198.51.100.5"));
            assertThat(get(trusted, "X-Forwarded-For: 6.6.6.6, 192.0.2.7")).isEqualTo("192.0.2.7");
            stranger.send(proxyHeader("192.0.2.99"));
            assertThat(get(stranger, "X-Forwarded-For: 6.6.6.6")).isEqualTo("192.0.2.99");
            assertThat(origin.requests())
                    .extracting(r -> r.value("x-forwarded-for").orElse(""))
                    .containsExactly("6.6.6.6, 192.0.2.7, 198.51.100.5", "192.0.2.99");
        }
    }

    @Test
    void tlsMakesNoDifference() throws Exception {
        Certificates authority = Certificates.authority("Test Authority");
        TlsConfig tls = TlsConfig.of(Certificates.pem(directory, "site", authority.issue("lychgate.test")));
        try (ScriptedOrigin origin = origin();
                Running gateway = trusting(origin)
                        .tls(tls)
                        .announcedBy("127.0.0.0/8")
                        .trusting(ELSEWHERE)
                        .start();
                TlsClient client = TlsClient.connectSaying(
                        proxyHeader("198.51.100.5"),
                        gateway.gateway().address("main"),
                        authority.context(null),
                        "lychgate.test")) {
            assertThat(get(client.raw(), "X-Forwarded-For: 6.6.6.6, 192.0.2.7")).isEqualTo("192.0.2.7");
        }
    }

    // ---- consumers of the address

    private static RouteConfig route(String id, String action, String... clients) {
        List<Cidr> blocks = new ArrayList<>();
        for (String block : clients) {
            blocks.add(Cidr.parse(block));
        }
        MatchConfig match = new MatchConfig(List.of(), null, List.of(), Map.of(), Map.of(), blocks, null);
        return new RouteConfig(
                id, 0, match, RewriteConfig.NONE, new RouteAction.Respond(200, Map.of(), action), RouteTimeouts.UNSET);
    }

    @Test
    void routesMatchTheClient() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            GatewayConfig base = trusting(origin).config();
            GatewayConfig config = new GatewayConfig(
                    base.workers(),
                    base.transport(),
                    base.drain(),
                    base.listeners(),
                    List.of(route("staff", "staff", "192.0.2.0/24", "127.0.0.0/8"), route("all", "anybody")),
                    Map.of(),
                    null,
                    base.accessLog());
            try (Running gateway = Running.start(config, FilterSet.EMPTY);
                    RawClient proxy = gateway.client()) {
                assertThat(get(proxy, "X-Forwarded-For: 192.0.2.7")).isEqualTo("staff");
                assertThat(get(proxy, "X-Forwarded-For: 192.0.2.7, 203.0.113.5"))
                        .isEqualTo("anybody");
                assertThat(get(proxy, "X-Forwarded-For: 203.0.113.5, 192.0.2.7"))
                        .isEqualTo("staff");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void hashesAndPersistenceTellClientsApart(boolean persistence) throws Exception {
        List<ScriptedOrigin> origins = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String name = Integer.toString(i);
            origins.add(ScriptedOrigin.answering((r, c) -> c.send(Responses.ok(name))));
        }
        EndpointConfig[] endpoints = origins.stream()
                .map(o -> new EndpointConfig("127.0.0.1", o.port()))
                .toArray(EndpointConfig[]::new);
        UpstreamConfig plain = UpstreamConfig.of("origin", endpoints);
        UpstreamConfig upstream = persistence
                ? plain.withPersistence(new PersistenceConfig.ClientIp())
                : plain.withBalance(BalanceConfig.of(Algorithm.CLIENT_IP_HASH));
        try (Running gateway =
                        new Setup().upstream(upstream).trusting("127.0.0.0/8").start();
                RawClient proxy = gateway.client()) {
            Set<String> used = new HashSet<>();
            // The hash depends on the ports: now and then, none of the first clients belongs to one of the origins.
            for (int i = 1; i <= 32 || (used.size() < 4 && i <= 250); i++) {
                String client = "X-Forwarded-For: 192.0.2." + i;
                String first = get(proxy, client);
                assertThat(get(proxy, client)).isEqualTo(first);
                assertThat(get(proxy, "X-Forwarded-For: 6.6.6.6, 192.0.2." + i)).isEqualTo(first);
                used.add(first);
            }
            assertThat(used).hasSize(4);
        } finally {
            origins.forEach(ScriptedOrigin::close);
        }
    }

    @Test
    void observersReceiveTheClientOfRefusedRequestsToo() throws Exception {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        ExchangeObserver observer = exchange ->
                seen.add(NetUtil.toAddressString(exchange.record().client().getAddress()) + " "
                        + exchange.record().status());
        try (ScriptedOrigin origin = origin();
                Gateway gateway = Gateway.start(
                        trusting(origin).bodyLimit(new ByteSize(10)).config(), FilterSet.EMPTY, observer);
                RawClient proxy = RawClient.connect(gateway.address("main"))) {
            get(proxy, "X-Forwarded-For: 192.0.2.7");
            proxy.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 11\r\nX-Forwarded-For: 192.0.2.8\r\n\r\n");
            assertThat(proxy.readResponse().status()).isEqualTo(413);
            eventually(() -> assertThat(seen).containsExactly("192.0.2.7 200", "192.0.2.8 413"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void originsReceiveTheClientByTheProxyProtocol(ProxyVersion version) throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        ScriptedOrigin listening = ScriptedOrigin.start().onConnection(c -> {
            StringBuilder header = new StringBuilder();
            while (!header.toString().endsWith("GET ")) {
                header.append(new String(c.readBytes(1), ISO_8859_1));
            }
            heard.add(header.toString());
            c.send(Responses.ok("hello"));
        });
        try (ScriptedOrigin origin = listening;
                Running gateway = new Setup()
                        .upstream(UpstreamConfig.of("origin", EndpointConfig.parse("http://127.0.0.1:" + origin.port()))
                                .withProxyProtocol(version))
                        .trusting("127.0.0.0/8")
                        .start();
                RawClient proxy = gateway.client()) {
            get(proxy, "X-Forwarded-For: 6.6.6.6, 192.0.2.7:4711");
            String header = heard.poll(10, TimeUnit.SECONDS);
            int port = gateway.gateway().address("main").getPort();
            String expected = version == ProxyVersion.V1
                    ? "PROXY TCP4 192.0.2.7 127.0.0.1 4711 " + port + "\r\nGET "
                    : "\r\n\r\n\0\r\nQUIT\n!\u0011\0\u000c\u00c0\0\u0002\u0007\u007f\0\0\u0001\u0012g"
                            + (char) (port >> 8) + (char) (port & 0xff) + "GET ";
            assertThat(header).isEqualTo(expected);
        }
    }

    // ---- headers for origins

    @Test
    void theForwardedHeadersAreExtendedWithThePeer() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = trusting(origin).sendingForwarded().start();
                RawClient proxy = gateway.client()) {
            get(proxy, "X-Forwarded-For: 6.6.6.6, 192.0.2.7", "Forwarded: for=6.6.6.7, for=192.0.2.7");
            get(proxy, "X-Forwarded-For: 2001:db8::7", "Forwarded: for=6.6.6.6");
            List<RawMessage> seen = origin.awaitRequests(2);
            assertThat(seen.get(0).value("x-forwarded-for")).contains("6.6.6.6, 192.0.2.7, 127.0.0.1");
            assertThat(seen.get(0).value("forwarded"))
                    .contains("for=6.6.6.7, for=192.0.2.7, for=127.0.0.1;host=\"a.test\";proto=http");
            assertThat(seen.get(1).value("x-forwarded-for")).contains("2001:db8::7, 127.0.0.1");
            assertThat(seen.get(1).value("forwarded"))
                    .contains("for=\"[2001:db8::7]\", for=127.0.0.1;host=\"a.test\";proto=http");
            assertThat(gateway.counters().conflictingClients()).isEqualTo(1);
        }
    }
}
