package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The fields that origins and clients receive from each other: forwarding, hop-by-hop, Host, rewrites, local responses. */
class ForwardedFieldsTest {
    private static final String FORGED = "X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-Proto: https\r\n"
            + "X-Forwarded-Host: evil\r\nX-Forwarded-Port: 1\r\nX-Forwarded-Prefix: /evil\r\nX-Real-IP: 6.6.6.6\r\n"
            + "X-Forwarded-User: root\r\nx-forwarded-CLIENT-cert: x\r\nX_Forwarded_For: 6.6.6.6\r\nX-Forwarded: y\r\n"
            + "Forwarded: for=6.6.6.6\r\nForwarded-For: 6.6.6.6\r\nX-Request-Id: forged\r\n";

    private static RawMessage seen(Setup setup, ScriptedOrigin origin, String request) throws Exception {
        try (Running gateway = setup.start();
                RawClient client = gateway.client()) {
            client.send(request);
            assertThat(client.readResponse().status()).isEqualTo(200);
            return origin.awaitRequests(1).get(0);
        }
    }

    private static ScriptedOrigin origin() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
    }

    @Test
    @Rfc({"7239, 8.1", "9110, 7.6.3"})
    void forgedForwardingIsReplaced() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            RawMessage request =
                    seen(Setup.to(origin.address()), origin, "GET / HTTP/1.1\r\nHost: a.example\r\n" + FORGED + "\r\n");
            assertThat(request.value("x-forwarded-for")).contains("127.0.0.1");
            assertThat(request.value("x-forwarded-proto")).contains("http");
            assertThat(request.value("x-forwarded-host")).contains("a.example");
            assertThat(request.value("x-forwarded-port").orElseThrow())
                    .matches("\\d+")
                    .isNotEqualTo("1");
            assertThat(request.fields())
                    .extracting(RawMessage.Field::name)
                    .filteredOn(name -> name.toLowerCase(Locale.ROOT).contains("forwarded"))
                    .containsExactlyInAnyOrder(
                            "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port");
            assertThat(request.has("x-real-ip")).isFalse();
            assertThat(request.value("x-request-id").orElseThrow()).matches("[0-9a-f]{24}");
            assertThat(request.value("via").orElseThrow()).startsWith("1.1 lychgate-");
        }
    }

    @Test
    @Rfc("7239, 4")
    void fieldsOfATrustedProxyAreExtended() throws Exception {
        try (ScriptedOrigin origin = origin()) {
            RawMessage request = seen(
                    Setup.to(origin.address()).trusting("127.0.0.0/8").sendingForwarded(),
                    origin,
                    "GET / HTTP/1.1\r\nHost: a\r\n" + FORGED + "\r\n");
            assertThat(request.value("x-forwarded-for")).contains("6.6.6.6, 127.0.0.1");
            assertThat(request.value("x-forwarded-proto")).contains("https");
            assertThat(request.value("x-forwarded-host")).contains("evil");
            assertThat(request.value("x-request-id")).contains("forged");
            assertThat(request.value("forwarded")).contains("for=6.6.6.6, for=127.0.0.1;host=\"a\";proto=http");
        }
    }

    @Test
    @Rfc({"9110, 7.6.1", "9110, 6.6.1"})
    void hopByHopFieldsEndHereInBothDirections() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.of(
                        200, "x", "Connection: x-secret", "X-Secret: 1", "Keep-Alive: timeout=5", "X-Kept: 1")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, X-Private, x-forwarded-for, host\r\n"
                    + "X-Private: 1\r\nTE: trailers\r\nProxy-Authorization: b\r\nProxy-Connection: c\r\n"
                    + "Upgrade: h2c\r\nCookie: kept\r\n\r\n");
            RawMessage response = client.readResponse();
            assertThat(response.fields())
                    .extracting(f -> f.name().toLowerCase(java.util.Locale.ROOT))
                    .containsExactlyInAnyOrder("x-kept", "content-length", "date");
            RawMessage request = origin.awaitRequests(1).get(0);
            assertThat(request.fields())
                    .extracting(f -> f.name().toLowerCase(java.util.Locale.ROOT))
                    .containsExactlyInAnyOrder(
                            "host",
                            "cookie",
                            "x-forwarded-for",
                            "x-forwarded-proto",
                            "x-forwarded-host",
                            "x-forwarded-port",
                            "x-request-id",
                            "via");
        }
    }

    @Test
    @Rfc({"9110, 7.2", "9112, 3.2.2"})
    void theHostIsPassedOnAsReceivedOrAsTheRouteSays() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .route("own", "/own", host("origin"), new RouteAction.Proxy("origin"))
                        .route("set", "/set", host("b.example"), new RouteAction.Proxy("origin"))
                        .route("all", "/**", new RouteAction.Proxy("origin"))
                        .start();
                RawClient client = gateway.client()) {
            client.get("/any");
            client.get("/own");
            client.get("/set");
            client.send("GET http://c.example:81/any HTTP/1.1\r\nHost: other\r\n\r\n");
            client.readResponse();
            assertThat(origin.awaitRequests(4))
                    .extracting(r -> r.value("host").orElse("none"))
                    .containsExactly("lychgate.test", "127.0.0.1:" + origin.port(), "b.example", "c.example:81");
        }
    }

    private static RewriteConfig host(String host) {
        return new RewriteConfig(0, null, host, false);
    }

    @Test
    void thePathIsRewrittenAndTheQueryIsNot() throws Exception {
        try (ScriptedOrigin origin = origin();
                Running gateway = Setup.to(origin.address())
                        .route(
                                "strip",
                                "/api/**",
                                new RewriteConfig(1, null, null, false),
                                new RouteAction.Proxy("origin"))
                        .route(
                                "raw",
                                "/raw/**",
                                new RewriteConfig(0, null, null, true),
                                new RouteAction.Proxy("origin"))
                        .start();
                RawClient client = gateway.client()) {
            client.get("/api//v1/%7Ex?a=%7E//b");
            client.get("/raw//%7Ex?");
            assertThat(origin.awaitRequests(2))
                    .extracting(RawMessage::target)
                    .containsExactly("/v1/~x?a=%7E//b", "/raw//%7Ex?");
        }
    }

    @Test
    @Rfc({"9110, 8.6", "9110, 15.4.9", "9112, 9.3"})
    void redirectsAndFixedAnswersNeedNoOrigin() throws Exception {
        try (Running gateway = new Setup()
                        .route("moved", "/old/**", new RouteAction.Redirect(308, "https://{host}{path}{query}"))
                        .route("fixed", "/fixed", new RouteAction.Respond(418, Map.of("x-tea", "pot"), "short"))
                        .route("none", "/none", new RouteAction.Respond(204, Map.of(), null))
                        .route("reset", "/reset", new RouteAction.Respond(205, Map.of(), "no content"))
                        .start();
                RawClient client = gateway.client()) {
            RawMessage moved = client.get("/old/a?b=c");
            assertThat(moved.status()).isEqualTo(308);
            assertThat(moved.value("location")).contains("https://lychgate.test/old/a?b=c");
            RawMessage fixed = client.get("/fixed");
            assertThat(fixed.status()).isEqualTo(418);
            assertThat(fixed.value("x-tea")).contains("pot");
            assertThat(fixed.body()).isEqualTo("short");
            client.send("HEAD /none HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.readResponseTo("HEAD").has("content-length")).isFalse();
            RawMessage reset = client.get("/reset");
            assertThat(reset.value("content-length")).contains("0");
            assertThat(reset.body()).isEmpty();
            // The body of a request without an origin is discarded.
            client.send("POST /fixed HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd");
            assertThat(client.readResponse().body()).isEqualTo("short");
            assertThat(client.get("/fixed").body()).isEqualTo("short");
            assertThat(gateway.nextOutcome().attempts()).isZero();
        }
    }

    @Test
    @Rfc({"9110, 7.6", "9110, 7.6.3"})
    void aRequestThatComesBackToUsIsALoop() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send(Responses.ok(r.value("via").orElse(""))));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            String via = client.get("/").body();
            client.send("GET / HTTP/1.1\r\nHost: a\r\nVia: 1.1 elsewhere, " + via + "\r\n\r\n");
            Problems.assertProblem(client.readResponse(), 502, dev.lychgate.error.ErrorKind.LOOP_DETECTED);
            client.send("GET / HTTP/1.1\r\nHost: a\r\nVia: 1.1 elsewhere\r\n\r\n");
            assertThat(client.readResponse().body()).startsWith("1.1 elsewhere, 1.1 lychgate-");
        }
    }
}
