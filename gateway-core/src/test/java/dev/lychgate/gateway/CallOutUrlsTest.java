package dev.lychgate.gateway;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.AddressScope;
import dev.lychgate.config.CallOutConfig;
import dev.lychgate.config.ConfigException;
import dev.lychgate.config.DnsConfig;
import dev.lychgate.config.EndpointAddress;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.FiltersConfig;
import dev.lychgate.config.GatewayConfig;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.filter.AsyncFilter;
import dev.lychgate.filter.CallException;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterCall;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.testing.AlpnOrigin;
import dev.lychgate.testing.Certificates;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedDns;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Call-outs to URLs outside the upstreams, with real sockets: only listed origins, and only addresses that they may have. */
@Tag("slow")
class CallOutUrlsTest {
    /** Responds with status and body of the call-out, or with the message of its failure. */
    private record Relay(Function<FilterExchange, FilterCall> call) implements InboundFilter, AsyncFilter {
        @Override
        public String name() {
            return "relay";
        }

        @Override
        public CompletionStage<? extends FilterOutcome> filter(FilterExchange exchange) {
            CompletionStage<? extends FilterOutcome> responded;
            try {
                responded = call.apply(exchange)
                        .send()
                        .handle((response, failure) -> failure == null
                                ? exchange.respond(response.getStatus(), response.getText())
                                : exchange.respond(502, reason(failure)));
            } catch (IllegalArgumentException e) {
                responded = CompletableFuture.completedFuture(exchange.respond(403, String.valueOf(e.getMessage())));
            }
            return responded;
        }

        private static String reason(Throwable failure) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof CallException e ? e.getError().kind().label() : String.valueOf(cause);
        }
    }

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering((r, c) ->
                c.send(Responses.ok(r.startLine() + " " + r.value("host").orElse("?"))));
    }

    private static Running gateway(List<CallOutConfig> listed, Filter... filters) {
        GatewayConfig config = new Setup()
                .upstream(UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", 9)))
                .config();
        return Running.start(config.withFilters(FiltersConfig.DEFAULT.withCallOuts(listed)), FilterSet.of(filters));
    }

    private static RawMessage response(List<CallOutConfig> listed, Function<FilterExchange, FilterCall> call)
            throws Exception {
        try (Running gateway = gateway(listed, new Relay(call));
                RawClient client = gateway.client()) {
            return client.get("/");
        }
    }

    private static String url(String host, ScriptedOrigin origin) {
        return "http://" + host + ":" + origin.port();
    }

    private static List<CallOutConfig> any(String url) {
        return List.of(new CallOutConfig(EndpointAddress.parse(url), AddressScope.ANY));
    }

    @Test
    void callsListedOriginsAndPutsThePathOfTheUrlBeforeThatOfTheRequest() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            String url = url("127.0.0.1", origin);
            String host = " 127.0.0.1:" + origin.port();
            assertThat(response(any(url), e -> e.call(url).get("/keys")).body()).isEqualTo("GET /keys HTTP/1.1" + host);
            assertThat(response(any(url), e -> e.call(url).post("").query("a", "b"))
                            .body())
                    .isEqualTo("POST /?a=b HTTP/1.1" + host);
            assertThat(response(any(url), e -> e.call(url + "/").get("/keys")).body())
                    .isEqualTo("GET /keys HTTP/1.1" + host);
            assertThat(response(any(url), e -> e.call(url + "/token?a=b")).body())
                    .isEqualTo("GET /token?a=b HTTP/1.1" + host);
            assertThat(response(any(url), e -> e.call(url + "/token").post("")).body())
                    .isEqualTo("POST /token HTTP/1.1" + host);
            assertThat(response(
                                    any(url),
                                    e -> e.call(url + "/v1/")
                                            .get("/k/{}?x=1", "a b")
                                            .query("y", "2"))
                            .body())
                    .isEqualTo("GET /v1/k/a%20b?x=1&y=2 HTTP/1.1" + host);
            assertThat(response(any(url), e -> e.call(url + "/v1").get("/../admin"))
                            .body())
                    .startsWith("the path is malformed (expected: ");
            assertThat(response(any(url("localhost", origin)), e -> e.call(url("LocalHost", origin) + "/up"))
                            .body())
                    .isEqualTo("GET /up HTTP/1.1 localhost:" + origin.port());
        }
    }

    @Test
    void refusesUrlsWhoseOriginIsNotListed() throws Exception {
        try (ScriptedOrigin origin = origin();
                ScriptedOrigin other = origin()) {
            String port = ":" + origin.port();
            List<String> attacks = new ArrayList<>(List.of(
                    url("127.0.0.1", other) + "/",
                    "https://127.0.0.1" + port + "/",
                    "http://127.0.0.1/",
                    "http://localhost" + port + "/",
                    "http://127.1" + port + "/",
                    "http://2130706433" + port + "/",
                    "http://0x7f.0.0.1" + port + "/",
                    "http://0177.0.0.1" + port + "/",
                    "http://127.0.0.1." + port + "/",
                    "http://127.0.0.1" + port + ".evil.test/",
                    "http://[::1]" + port + "/",
                    "http://[::ffff:127.0.0.2]" + port + "/",
                    "http://127.0.0.1" + port + "@evil.test/",
                    "http://user:pw@127.0.0.1" + port + "/",
                    "http://evil.test/@127.0.0.1" + port + "/",
                    "http://evil.test#@127.0.0.1" + port + "/",
                    "http://evil.test?@127.0.0.1" + port + "/",
                    "http://evil.test\\@127.0.0.1" + port + "/",
                    "http://127.0.0.1" + port + "\\.evil.test/",
                    "http://127.0.0.1" + port + " .evil.test/",
                    "http://127.0.0.1" + port + "\r\n.evil.test/",
                    "http://127.0.0.1" + port + "\t/",
                    "http://127。0。0。1" + port + "/",
                    "http://①②⑦.0.0.1" + port + "/",
                    "HTTP://127.0.0.1" + port + "/",
                    "//127.0.0.1" + port + "/",
                    "/",
                    "a/b",
                    "http:/127.0.0.1" + port + "/",
                    "http:127.0.0.1" + port + "/",
                    "http:///127.0.0.1" + port + "/",
                    "file:///etc/passwd",
                    "gopher://127.0.0.1" + port + "/",
                    "jar:http://127.0.0.1" + port + "!/a",
                    "http://127.0.0.1" + port + "/#a",
                    "http://127.0.0.1" + port + "?a=b",
                    "http://127.0.0.1" + port + "/%2e%2e%2fa",
                    "http://127.0.0.1" + port + "/a b",
                    "http://127.0.0.1" + port + "/\r\nx: y"));
            try (Running gateway = gateway(any(url("127.0.0.1", origin)), new Relay(e -> {
                        String url = attacks.get(
                                Integer.parseInt(e.getRequest().getPath().substring(1)));
                        return e.call(url).get("/");
                    }));
                    RawClient client = gateway.client()) {
                for (int i = 0; i < attacks.size(); i++) {
                    RawMessage response = client.get("/" + i);
                    assertThat(response.status()).as(attacks.get(i)).isEqualTo(403);
                    assertThat(response.body()).doesNotContain("pw");
                }
            }
            assertThat(origin.requestsSeen() + other.requestsSeen()).isZero();
        }
    }

    @Test
    void refusesUrlsWithoutAList() throws Exception {
        RawMessage response = response(List.of(), e -> e.call("http://169.254.169.254/latest/meta-data"));
        assertThat(response.status()).isEqualTo(403);
        assertThat(response.body()).contains("filters.call-outs").contains("http://169.254.169.254:80");
    }

    @Test
    void connectsToNoSpecialAddressOfAListedName() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            String url = url("localhost", origin);
            assertThat(response(List.of(CallOutConfig.parse(url)), e -> e.call(url + "/"))
                            .body())
                    .isEqualTo("connect-failed");
            assertThat(origin.connectionsAccepted()).isZero();
            assertThat(response(any(url), e -> e.call(url + "/")).body())
                    .isEqualTo("GET / HTTP/1.1 localhost:" + origin.port());
        }
    }

    @Test
    void aReloadThatForbidsSpecialAddressesUsesNoEarlierResultOfDns() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            String url = url("localhost", origin);
            Filter relay = new Relay(e -> e.call(url + "/"));
            try (Running gateway = gateway(any(url), relay);
                    RawClient client = gateway.client()) {
                assertThat(client.get("/").status()).isEqualTo(200);
                GatewayConfig changed = gateway.gateway()
                        .generation()
                        .config()
                        .withFilters(FiltersConfig.DEFAULT.withCallOuts(List.of(CallOutConfig.parse(url))));
                gateway.gateway().apply(changed, FilterSet.of(relay));
                assertThat(client.get("/").body()).isEqualTo("connect-failed");
            }
            assertThat(origin.requestsSeen()).isOne();
        }
    }

    @Test
    void anEndpointWithPublicAddressesKeepsThemWhenDnsReturnsAnInternalOne() throws Exception {
        try (ScriptedDns dns = ScriptedDns.start()) {
            dns.host("rebinding.test", 0, "1.1.1.1", "127.0.0.1");
            UpstreamConfig upstream = UpstreamConfig.of("origin", new EndpointConfig("rebinding.test", 80))
                    .withDns(new DnsConfig(
                                    List.of(new EndpointAddress(
                                            "127.0.0.1", dns.address().getPort())),
                                    AddressFamily.EITHER,
                                    Duration.ofMillis(100),
                                    Duration.ofMinutes(1),
                                    Duration.ofSeconds(5))
                            .with(AddressScope.PUBLIC));
            try (Running gateway = new Setup().upstream(upstream).start()) {
                assertThat(endpoints(gateway)).containsExactly("1.1.1.1:80");
                dns.host("rebinding.test", 0, "127.0.0.1", "169.254.169.254", "::1");
                int asked = dns.questions().size();
                eventually(() -> assertThat(dns.questions().size()).isGreaterThan(asked + 4));
                assertThat(endpoints(gateway)).containsExactly("1.1.1.1:80");
            }
        }
    }

    private static List<String> endpoints(Running gateway) {
        return gateway.gateway().generation().upstreams().stream()
                .flatMap(upstream -> upstream.endpoints().stream())
                .map(endpoint -> endpoint.authority())
                .toList();
    }

    @Test
    void followsNoRedirect() throws Exception {
        try (ScriptedOrigin internal = origin();
                ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send("HTTP/1.1 302 Found\r\nlocation: "
                        + url("127.0.0.1", internal) + "/secret\r\ncontent-length: 0\r\n\r\n"))) {
            String url = url("127.0.0.1", origin);
            assertThat(response(any(url), e -> e.call(url + "/")).status()).isEqualTo(302);
            assertThat(internal.requestsSeen()).isZero();
        }
    }

    @Test
    void verifiesTheCertificateOfAnOriginWithTheTrustOfTheJdk() throws Exception {
        try (AlpnOrigin origin = AlpnOrigin.at(
                "127.0.0.1", 0, Certificates.authority("Unknown").issue("localhost"), AlpnOrigin.HTTP_1_1)) {
            String url = "https://localhost:" + origin.port();
            Set<String> failures = new TreeSet<>();
            eventually(Duration.ofSeconds(30), () -> {
                failures.add(response(any(url), e -> e.call(url + "/")).body());
                assertThat(failures).contains("tls-failed");
            });
            // On a busy machine, the first handshake may take longer than the default timeout for a connection.
            assertThat(failures).isSubsetOf("tls-failed", "connect-timeout");
        }
    }

    @Test
    void anOriginForCallOutsReceivesNoRequestOfAClient() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            String url = url("127.0.0.1", origin);
            RawMessage response = response(any(url), e -> {
                e.setUpstream(url);
                return e.call(url);
            });
            assertThat(response.status()).isEqualTo(403);
            assertThat(response.body()).startsWith("unknown upstream");
            assertThat(origin.requestsSeen()).isZero();
        }
    }

    @Test
    void refusesUpstreamsWithTheNameOfAUrlAndOriginsThatAreListedTwice() {
        assertThatThrownBy(() -> new Setup()
                        .upstream(UpstreamConfig.of("http://a.test:80", new EndpointConfig("127.0.0.1", 9)))
                        .config())
                .isInstanceOf(ConfigException.class);
        CallOutConfig a = CallOutConfig.parse("https://a.test");
        assertThatThrownBy(
                        () -> FiltersConfig.DEFAULT.withCallOuts(List.of(a, CallOutConfig.parse("https://A.test:443"))))
                .hasMessageContaining("only once");
    }
}
