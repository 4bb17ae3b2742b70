package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.client.Ban;
import dev.lychgate.client.ClientProtection;
import dev.lychgate.client.ClientRefusal;
import dev.lychgate.config.AddressListConfig;
import dev.lychgate.config.BanRuleConfig;
import dev.lychgate.config.Cidr;
import dev.lychgate.config.ClientProtectionConfig;
import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.Percent;
import dev.lychgate.config.Rate;
import dev.lychgate.config.RateLimitConfig.Mode;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protection of a listener against single clients, with real sockets. The PROXY protocol gives clients different addresses. */
class ClientProtectionTest {
    private static final ClientProtectionConfig NONE = ClientProtectionConfig.NONE;

    private final ScriptedOrigin origin = ScriptedOrigin.answering((request, connection) -> {
        String path = request.target();
        int status = path.startsWith("/status/") ? Integer.parseInt(path.substring("/status/".length())) : 200;
        connection.send("HTTP/1.1 " + status + " X\r\nContent-Length: 1\r\n\r\nx");
    });

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    Path directory;

    @AfterEach
    void stop() {
        origin.close();
    }

    private Setup setup() {
        return Setup.to(origin.address()).announcedBy("127.0.0.0/8");
    }

    private static AddressListConfig list(String... blocks) {
        return new AddressListConfig(List.of(blocks).stream().map(Cidr::parse).toList(), List.of());
    }

    /** Connects as a client with that address. */
    private static RawClient from(Running gateway, String address) throws Exception {
        String family = address.contains(":") ? "TCP6" : "TCP4";
        String local = address.contains(":") ? "2001:db8::1" : "203.0.113.1";
        return gateway.client().send("PROXY " + family + " " + address + " " + local + " 50000 80\r\n");
    }

    private static RawMessage get(Running gateway, String address) throws Exception {
        try (RawClient client = from(gateway, address)) {
            return client.get("/");
        }
    }

    private static void assertClosed(Running gateway, String address) throws Exception {
        try (RawClient client = from(gateway, address)) {
            client.awaitEnd();
        }
    }

    private static ClientProtection protection(Running gateway) {
        return gateway.gateway().generation().clients().of("main");
    }

    @Test
    void connectionsOfDeniedClientsAreClosed() throws Exception {
        try (Running gateway = setup().addresses("bad", list("192.0.2.0/24", "2001:db8:bad::/48"))
                .protectedBy(NONE.with("deny", List.of("bad")))
                .start()) {
            assertClosed(gateway, "192.0.2.7");
            assertClosed(gateway, "2001:db8:bad::7");
            assertThat(get(gateway, "198.51.100.1").status()).isEqualTo(200);
            assertThat(protection(gateway).refused(ClientRefusal.DENIED)).isEqualTo(2);
        }
    }

    @Test
    void onlyAllowedClientsAreAcceptedAndDeniedOnesNotEvenThen() throws Exception {
        try (Running gateway = setup().addresses("office", list("192.0.2.0/24"))
                .addresses("guests", list("192.0.2.128/25"))
                .protectedBy(NONE.with("allow", List.of("office"), "deny", List.of("guests")))
                .start()) {
            assertThat(get(gateway, "192.0.2.7").status()).isEqualTo(200);
            assertClosed(gateway, "192.0.2.200");
            assertClosed(gateway, "198.51.100.1");
            assertThat(protection(gateway).refused(ClientRefusal.NOT_ALLOWED)).isEqualTo(1);
            assertThat(protection(gateway).refused(ClientRefusal.DENIED)).isEqualTo(1);
        }
    }

    /** The connections belong to the proxy; the client of each request decides. */
    @Test
    void clientsBehindAProxyAreRefusedByRequest() throws Exception {
        try (Running gateway = Setup.to(origin.address())
                        .trusting("127.0.0.0/8")
                        .addresses("bad", list("192.0.2.0/24"))
                        .protectedBy(NONE.with(
                                "deny", List.of("bad"), "connections", 1, "connectionRate", Rate.parse("1/h")))
                        .start();
                RawClient proxy = gateway.client();
                RawClient another = gateway.client()) {
            RawMessage refused = send(proxy, "/", "X-Forwarded-For: 192.0.2.7");
            assertProblem(refused, 403, ErrorKind.CLIENT_REFUSED);
            assertThat(refused.body()).doesNotContain("192.0.2").doesNotContain("denied");
            // The connection stays open for the other clients.
            assertThat(send(proxy, "/", "X-Forwarded-For: 198.51.100.1").status())
                    .isEqualTo(200);
            assertThat(send(proxy, "/", "X-Forwarded-For: 192.0.2.8, 198.51.100.1")
                            .status())
                    .isEqualTo(200);
            assertThat(another.get("/").status()).isEqualTo(200);
        }
    }

    private static RawMessage send(RawClient client, String path, String field) throws Exception {
        return client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n")
                .readResponse();
    }

    @Test
    void aHealthCheckOfTheProxyItselfIsAccepted() throws Exception {
        try (Running gateway = Setup.to(origin.address())
                        .trusting("127.0.0.0/8")
                        .addresses("office", list("192.0.2.0/24"))
                        .protectedBy(NONE.with("allow", List.of("office")))
                        .start();
                RawClient proxy = gateway.client()) {
            assertThat(proxy.get("/").status()).isEqualTo(200);
            assertThat(send(proxy, "/", "X-Forwarded-For: 198.51.100.1").status())
                    .isEqualTo(403);
        }
    }

    @Test
    void aClientHasAtMostTheLimitOfOpenConnections() throws Exception {
        try (Running gateway = setup().protectedBy(NONE.with("connections", 2)).start()) {
            RawClient first = from(gateway, "192.0.2.7");
            assertThat(first.get("/").status()).isEqualTo(200);
            try (RawClient second = from(gateway, "192.0.2.7")) {
                assertThat(second.get("/").status()).isEqualTo(200);
                assertClosed(gateway, "192.0.2.7");
                assertThat(get(gateway, "192.0.2.8").status()).isEqualTo(200);
                eventually(
                        () -> assertThat(protection(gateway).connectedClients()).isEqualTo(1));
                first.close();
                eventually(() -> assertThat(get(gateway, "192.0.2.7").status()).isEqualTo(200));
            }
            eventually(() -> assertThat(protection(gateway).connectedClients()).isZero());
        }
    }

    @Test
    void theNetworkOfAnIpv6AddressIsOneClient() throws Exception {
        try (Running gateway = setup().protectedBy(NONE.with("connections", 1)).start();
                RawClient first = from(gateway, "2001:db8::7")) {
            assertThat(first.get("/").status()).isEqualTo(200);
            assertClosed(gateway, "2001:db8::ffff:8");
            assertThat(get(gateway, "2001:db8:0:1::7").status()).isEqualTo(200);
        }
    }

    @Test
    void thePartThatIdentifiesAClientIsConfigured() throws Exception {
        try (Running gateway = setup().clients(new ClientsConfig(24, 128, 1024, 10))
                        .protectedBy(NONE.with("connections", 1))
                        .start();
                RawClient first = from(gateway, "192.0.2.7");
                RawClient second = from(gateway, "2001:db8::7")) {
            assertThat(first.get("/").status()).isEqualTo(200);
            assertThat(second.get("/").status()).isEqualTo(200);
            assertClosed(gateway, "192.0.2.8");
            assertThat(get(gateway, "2001:db8::8").status()).isEqualTo(200);
        }
    }

    @Test
    void newConnectionsOfAClientAreLimitedByRate() throws Exception {
        try (Running gateway = setup().protectedBy(NONE.with("connectionRate", Rate.parse("3/h")))
                .start()) {
            for (int i = 0; i < 3; i++) {
                assertThat(get(gateway, "192.0.2.7").status()).isEqualTo(200);
            }
            assertClosed(gateway, "192.0.2.7");
            assertThat(get(gateway, "192.0.2.8").status()).isEqualTo(200);
            assertThat(protection(gateway).refused(ClientRefusal.CONNECTION_RATE))
                    .isEqualTo(1);
        }
    }

    @Test
    void runningRequestsOfAClientAreLimitedOverItsConnections() throws Exception {
        try (ScriptedOrigin slow = ScriptedOrigin.answering((request, connection) -> {
                    if (request.target().equals("/slow")) {
                        connection.stall();
                    } else {
                        connection.send(Responses.ok("x"));
                    }
                });
                Running gateway = Setup.to(slow.address())
                        .announcedBy("127.0.0.0/8")
                        .protectedBy(NONE.with("requests", 2))
                        .start();
                RawClient first = from(gateway, "192.0.2.7");
                RawClient third = from(gateway, "192.0.2.7");
                RawClient other = from(gateway, "192.0.2.8")) {
            RawClient second = from(gateway, "192.0.2.7");
            first.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
            second.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
            slow.awaitRequests(2);
            RawMessage refused = third.get("/");
            assertProblem(refused, 429, ErrorKind.CLIENT_LIMITED);
            assertThat(refused.value("retry-after")).contains("1");
            assertThat(other.get("/").status()).isEqualTo(200);
            second.close();
            eventually(() -> assertThat(third.get("/").status()).isEqualTo(200));
        }
    }

    @Test
    void streamsOfAClientAreLimitedOverItsConnections() throws Exception {
        try (ScriptedOrigin slow = ScriptedOrigin.answering((request, connection) -> connection.stall());
                Running gateway = Setup.to(slow.address())
                        .protectedBy(NONE.with("streams", 2))
                        .start();
                Http2Client first = gateway.http2();
                Http2Client second = gateway.http2()) {
            first.get(1, "/").get(3, "/");
            slow.awaitRequests(2);
            second.get(1, "/");
            assertThat(second.awaitReset(1)).isEqualTo(Http2Error.REFUSED_STREAM);
            first.cancel(1).sync();
            second.get(3, "/");
            slow.awaitRequests(3);
            assertThat(protection(gateway).refused(ClientRefusal.STREAMS)).isEqualTo(1);
        }
    }

    /** Neither the limit nor its announcement concerns them: a proxy has the streams of many clients. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void streamsOfProxiesAndExemptClientsAreNotLimited(boolean isProxy) throws Exception {
        try (ScriptedOrigin slow = ScriptedOrigin.answering((request, connection) -> connection.stall())) {
            Setup setup = Setup.to(slow.address()).addresses("local", list("127.0.0.0/8"));
            if (isProxy) {
                setup.trusting("127.0.0.0/8").protectedBy(NONE.with("streams", 1));
            } else {
                setup.protectedBy(NONE.with("streams", 1, "exempt", List.of("local")));
            }
            try (Running gateway = setup.start();
                    Http2Client client = gateway.http2()) {
                client.get(1, "/").get(3, "/").get(5, "/");
                slow.awaitRequests(3);
            }
        }
    }

    @Test
    void exemptClientsHaveNoLimitsAndAreNotBanned() throws Exception {
        try (Running gateway = setup().addresses("monitoring", list("192.0.2.7"))
                        .protectedBy(NONE.with("exempt", List.of("monitoring"), "connections", 1))
                        .start();
                RawClient first = from(gateway, "192.0.2.7");
                RawClient second = from(gateway, "192.0.2.7")) {
            assertThat(first.get("/").status()).isEqualTo(200);
            assertThat(second.get("/").status()).isEqualTo(200);
            ban(gateway, "192.0.2.7");
            assertThat(first.get("/").status()).isEqualTo(200);
        }
    }

    private static void ban(Running gateway, String address) throws Exception {
        boolean set = gateway.gateway()
                .generation()
                .clients()
                .bans()
                .add(
                        InetAddress.getByName(address),
                        ClientsConfig.DEFAULT,
                        Duration.ofMinutes(10),
                        "a test",
                        Ban.Source.OPERATOR,
                        "alice");
        assertThat(set).isTrue();
    }

    /** A ban needs no configuration. It also ends the open connections of the client. */
    @Test
    void aBannedClientGets403OnItsConnectionAndNoNewOne() throws Exception {
        try (Running gateway = setup().start();
                RawClient client = from(gateway, "192.0.2.7");
                RawClient other = from(gateway, "192.0.2.8")) {
            assertThat(client.get("/").status()).isEqualTo(200);
            ban(gateway, "192.0.2.7");
            RawMessage refused = client.get("/");
            assertProblem(refused, 403, ErrorKind.CLIENT_REFUSED);
            assertThat(refused.value("connection")).contains("close");
            client.expectClosed();
            assertClosed(gateway, "192.0.2.7");
            assertThat(other.get("/").status()).isEqualTo(200);
            assertThat(protection(gateway).refused(ClientRefusal.BANNED)).isEqualTo(2);
        }
    }

    @Test
    void aBannedClientOfHttp2GetsAGoAway() throws Exception {
        try (Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            assertThat(client.get(1, "/").response(1).status()).isEqualTo(200);
            ban(gateway, "127.0.0.1");
            assertThat(client.get(3, "/").response(3).status()).isEqualTo(403);
            client.awaitGoAway(1);
        }
    }

    @Test
    void bansOutliveAReload() throws Exception {
        Setup setup = setup();
        try (Running gateway = setup.start()) {
            ban(gateway, "192.0.2.7");
            gateway.gateway()
                    .apply(setup().protectedBy(NONE.with("connections", 5)).config(), FilterSet.EMPTY);
            assertClosed(gateway, "192.0.2.7");
            assertThat(get(gateway, "192.0.2.8").status()).isEqualTo(200);
        }
    }

    private static BanRuleConfig rule(String... statuses) {
        return new BanRuleConfig(new Percent(50), List.of(statuses), 4, Duration.ofHours(1), Duration.ofMinutes(10));
    }

    @Test
    void aClientWhoseRequestsFailTooOftenIsBanned() throws Exception {
        try (Running gateway =
                        setup().protectedBy(NONE.with("ban", rule("4xx"))).start();
                RawClient client = from(gateway, "192.0.2.7");
                RawClient other = from(gateway, "192.0.2.8")) {
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(client.get("/status/404").status()).isEqualTo(404);
            assertThat(client.get("/status/500").status()).isEqualTo(500);
            assertThat(client.get("/status/401").status()).isEqualTo(401);
            assertThat(client.get("/").status()).isEqualTo(403);
            assertThat(other.get("/").status()).isEqualTo(200);
            assertThat(gateway.gateway().generation().clients().bans().all())
                    .singleElement()
                    .satisfies(ban -> {
                        assertThat(ban.client()).hasToString("192.0.2.7");
                        assertThat(ban.by()).isEqualTo(Ban.Source.ERRORS);
                        assertThat(ban.author()).isEqualTo("main");
                        assertThat(ban.reason())
                                .isEqualTo("the share of error responses reached 50% (minimum number of responses: 4)");
                    });
        }
    }

    @Test
    void onlyTheConfiguredStatusesAreErrors() throws Exception {
        try (Running gateway = setup().protectedBy(NONE.with("ban", rule("401", "403")))
                        .start();
                RawClient client = from(gateway, "192.0.2.7")) {
            for (int i = 0; i < 10; i++) {
                assertThat(client.get("/status/404").status()).isEqualTo(404);
            }
            for (int i = 0; i < 9; i++) {
                assertThat(client.get("/status/401").status()).isEqualTo(401);
            }
            assertThat(client.get("/status/403").status()).isEqualTo(403);
            client.get("/");
            assertClosed(gateway, "192.0.2.7");
        }
    }

    /** The client has received the status, so its response counts. */
    @Test
    void aClientThatLeavesAfterTheHeadIsCounted() throws Exception {
        try (ScriptedOrigin large = ScriptedOrigin.answering((request, connection) -> {
                    connection.send("HTTP/1.1 404 X\r\nContent-Length: 20000000\r\n\r\nx");
                    connection.awaitEnd();
                });
                Running gateway = Setup.to(large.address())
                        .announcedBy("127.0.0.0/8")
                        .protectedBy(NONE.with("ban", rule("4xx")))
                        .start()) {
            for (int i = 0; i < 4; i++) {
                try (RawClient client = from(gateway, "192.0.2.7")) {
                    assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                                    .readHead()
                                    .status())
                            .isEqualTo(404);
                    client.reset();
                }
            }
            eventually(() -> assertThat(
                            gateway.gateway().generation().clients().bans().isEmpty())
                    .isFalse());
        }
    }

    /** A client that can't be read must not pass as the proxy itself. */
    @ParameterizedTest
    @ValueSource(strings = {"junk", "192.0.2.1, junk", ""})
    void aRequestWithAnUnreadableClientIsNotTheProxysOwn(String names) throws Exception {
        try (Running gateway = Setup.to(origin.address())
                        .trusting("127.0.0.0/8")
                        .addresses("office", list("192.0.2.0/24"))
                        .protectedBy(NONE.with("allow", List.of("office")))
                        .start();
                RawClient proxy = gateway.client()) {
            assertThat(send(proxy, "/", "X-Forwarded-For: " + names).status()).isEqualTo(403);
        }
    }

    /** A health check of the balancer, for example. */
    @Test
    void aConnectionThatAProxyOpensForItselfIsAccepted() throws Exception {
        try (Running gateway = setup().addresses("office", list("192.0.2.0/24"))
                        .protectedBy(NONE.with("allow", List.of("office"), "connections", 1, "ban", rule("4xx")))
                        .start();
                RawClient first = gateway.client();
                RawClient second = gateway.client()) {
            for (RawClient proxy : List.of(first, second)) {
                proxy.send("PROXY UNKNOWN\r\n");
                for (int i = 0; i < 5; i++) {
                    assertThat(proxy.get("/status/404").status()).isEqualTo(404);
                }
            }
            assertThat(get(gateway, "192.0.2.7").status()).isEqualTo(200);
            assertClosed(gateway, "198.51.100.1");
        }
    }

    /** The gateway itself responds to the first one. The second one is malformed, and its connection ends, too. */
    @ParameterizedTest
    @CsvSource({"'OPTIONS * HTTP/1.1', 403", "'GET /%00 HTTP/1.1', 400"})
    void aBannedClientLosesItsConnectionWhateverItSends(String line, int status) throws Exception {
        try (Running gateway = setup().start();
                RawClient client = from(gateway, "192.0.2.7")) {
            assertThat(client.get("/").status()).isEqualTo(200);
            ban(gateway, "192.0.2.7");
            RawMessage refused = client.send(line + "\r\nHost: a\r\n\r\n").readResponse();
            assertThat(refused.status()).isEqualTo(status);
            client.expectClosed();
        }
    }

    /** Malformed requests never reach a filter or a route. */
    @ParameterizedTest
    @ValueSource(
            strings = {"GET /%2e%2e/x HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"})
    void malformedRequestsAreErrorsToo(String request) throws Exception {
        try (Running gateway =
                setup().protectedBy(NONE.with("ban", rule("4xx"))).start()) {
            for (int i = 0; i < 4; i++) {
                try (RawClient client = from(gateway, "192.0.2.7")) {
                    assertThat(client.send(request).readResponse().status()).isEqualTo(400);
                }
            }
            eventually(() -> assertThat(
                            gateway.gateway().generation().clients().bans().isEmpty())
                    .isFalse());
            assertClosed(gateway, "192.0.2.7");
        }
    }

    @Test
    void theShadowModeOnlyCounts() throws Exception {
        ClientProtectionConfig shadow = NONE.with(
                "connections", 1, "connectionRate", Rate.parse("1/h"), "ban", rule("4xx"), "mode", Mode.SHADOW);
        try (Running gateway = setup().protectedBy(shadow).start();
                RawClient first = from(gateway, "192.0.2.7");
                RawClient second = from(gateway, "192.0.2.7")) {
            assertThat(first.get("/").status()).isEqualTo(200);
            for (int i = 0; i < 10; i++) {
                assertThat(second.get("/status/404").status()).isEqualTo(404);
            }
            assertThat(protection(gateway).refused(ClientRefusal.CONNECTIONS)).isEqualTo(1);
            assertThat(protection(gateway).refused(ClientRefusal.CONNECTION_RATE))
                    .isEqualTo(1);
            assertThat(gateway.gateway().generation().clients().bans().isEmpty())
                    .isTrue();
        }
    }

    /** Bans the client of a request with a certain path. */
    private record Guard() implements InboundFilter, SyncFilter {
        @Override
        public String name() {
            return "guard";
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            if (exchange.getRequest().getPath().equals("/wp-login.php")) {
                exchange.banClient("10m", "asks for\n" + "a".repeat(300));
            }
            return FilterOutcome.proceed();
        }
    }

    @Test
    void aFilterBansAClient() throws Exception {
        try (Running gateway = setup().filters(FilterSet.of(new Guard())).start();
                RawClient client = from(gateway, "192.0.2.7")) {
            assertThat(client.get("/").status()).isEqualTo(200);
            assertThat(client.get("/wp-login.php").status()).isEqualTo(200);
            assertThat(client.get("/").status()).isEqualTo(403);
            assertThat(gateway.gateway().generation().clients().bans().all())
                    .singleElement()
                    .satisfies(ban -> {
                        assertThat(ban.by()).isEqualTo(Ban.Source.FILTER);
                        assertThat(ban.author()).isEqualTo("guard");
                    });
        }
    }

    @Test
    void openConnectionsAreCountedOverReloads() throws Exception {
        try (Running gateway = setup().protectedBy(NONE.with("connections", 2)).start();
                RawClient first = from(gateway, "192.0.2.7")) {
            assertThat(first.get("/").status()).isEqualTo(200);
            gateway.gateway()
                    .apply(setup().protectedBy(NONE.with("connections", 1)).config(), FilterSet.EMPTY);
            assertClosed(gateway, "192.0.2.7");
            assertThat(protection(gateway).refused(ClientRefusal.CONNECTIONS)).isEqualTo(1);
        }
    }

    @Test
    void anOpenConnectionIsRefusedWhenItsClientBecomesDenied() throws Exception {
        Path file = Files.writeString(directory.resolve("bad.txt"), "198.51.100.0/24\n");
        AddressListConfig bad = new AddressListConfig(List.of(), List.of(file.toString()));
        Setup setup = setup().addresses("bad", bad).protectedBy(NONE.with("deny", List.of("bad")));
        try (Running gateway = setup.start();
                RawClient client = from(gateway, "192.0.2.7")) {
            assertThat(client.get("/").status()).isEqualTo(200);
            Files.writeString(file, "198.51.100.0/24\n192.0.2.0/24\n");
            gateway.gateway().apply(setup.config(), FilterSet.EMPTY);
            assertProblem(client.get("/"), 403, ErrorKind.CLIENT_REFUSED);
        }
    }

    @Test
    void aMalformedListRefusesTheGenerationAndTheOldOneServesOn() throws Exception {
        Path file = Files.writeString(directory.resolve("bad.txt"), "192.0.2.0/24\n");
        AddressListConfig bad = new AddressListConfig(List.of(), List.of(file.toString()));
        Setup setup = setup().addresses("bad", bad).protectedBy(NONE.with("deny", List.of("bad")));
        try (Running gateway = setup.start()) {
            Files.writeString(file, "192.0.2.0/24\nnonsense\n");
            assertThatThrownBy(() -> gateway.gateway().apply(setup.config(), FilterSet.EMPTY))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("bad.txt: line 2");
            assertClosed(gateway, "192.0.2.7");
            assertThat(get(gateway, "198.51.100.1").status()).isEqualTo(200);
        }
    }

    @Test
    void aListThatDoesNotExistIsRefused() {
        assertThatThrownBy(() ->
                        setup().protectedBy(NONE.with("deny", List.of("none"))).config())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("listeners[0].client-protection")
                .hasMessageContaining("one of the address-lists []");
    }

    private static boolean isServed(RawClient client) {
        try {
            return client.readResponse().status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Eight connections at a time on two loops, for one client whose limit is three. */
    @Test
    void connectionsAreExactOverAllLoops() throws Exception {
        try (Running gateway =
                setup().workers(2).protectedBy(NONE.with("connections", 3)).start()) {
            for (int round = 0; round < 10; round++) {
                List<RawClient> clients = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    // In one piece: the gateway may close the connection as soon as it knows the client.
                    clients.add(gateway.client()
                            .send("PROXY TCP4 192.0.2.7 203.0.113.1 50000 80\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"));
                }
                int served = 0;
                for (RawClient client : clients) {
                    served += isServed(client) ? 1 : 0;
                }
                assertThat(served).isEqualTo(3);
                for (RawClient client : clients) {
                    client.close();
                }
                eventually(
                        () -> assertThat(protection(gateway).connectedClients()).isZero());
            }
        }
    }
}
