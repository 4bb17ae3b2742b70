package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.BreakerConfig;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.OnFailure;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The behavior of a route after all attempts have failed: an error, silence, another upstream, or a fixed response. */
@Tag("slow")
class OnFailureTest {
    private static final OnFailure SILENT = new OnFailure(OnFailure.silent(204), Set.of());
    private static final OnFailure STATIC =
            new OnFailure(new RouteAction.Respond(200, Map.of("X-Stale", "yes"), "yesterday's news"), Set.of(500));
    private static final OnFailure ELSEWHERE = new OnFailure(new RouteAction.Proxy("elsewhere"), Set.of(503));

    private static UpstreamConfig upstream(String name, InetSocketAddress address) {
        return UpstreamConfig.of(name, new EndpointConfig("127.0.0.1", address.getPort()));
    }

    private static ScriptedOrigin elsewhere() {
        return ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("elsewhere: " + r.target() + r.body())));
    }

    private static RawMessage send(Running gateway, String method, String body) throws Exception {
        try (RawClient client = gateway.client()) {
            client.send(method + " /a?b HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            return client.readResponse();
        }
    }

    @Test
    void failSilentRespondsWithAStatusOnly() throws Exception {
        try (RefusingPort refusing = new RefusingPort();
                Running gateway = new Setup()
                        .upstream(upstream("origin", refusing.address()))
                        .onFailure(SILENT)
                        .start()) {
            RawMessage response = send(gateway, "GET", "");
            assertThat(response.status()).isEqualTo(204);
            assertThat(response.body()).isEmpty();
            Outcome outcome = gateway.nextOutcome();
            assertThat(outcome.error()).isNull();
            assertThat(outcome.status()).isEqualTo(204);
        }
    }

    @Test
    void aFixedResponseReplacesAFailureAndAListedStatus() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> {
                    if (r.method().equals("PUT")) {
                        c.reset();
                        return;
                    }
                    c.send(Responses.of(r.method().equals("GET") ? 500 : 502, "broken"));
                });
                Running gateway = new Setup()
                        .upstream(upstream("origin", origin.address()))
                        .onFailure(STATIC)
                        .start()) {
            for (String method : new String[] {"GET", "PUT"}) {
                RawMessage response = send(gateway, method, "");
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.value("x-stale")).hasValue("yes");
                assertThat(response.body()).isEqualTo("yesterday's news");
            }
            assertThat(send(gateway, "POST", "").status()).as("not listed").isEqualTo(502);
        }
    }

    @Test
    void anotherUpstreamGetsTheWholeRequest() throws Exception {
        try (RefusingPort refusing = new RefusingPort();
                ScriptedOrigin elsewhere = elsewhere();
                Running gateway = new Setup()
                        .upstream(upstream("origin", refusing.address()))
                        .upstream(upstream("elsewhere", elsewhere.address()))
                        .onFailure(ELSEWHERE)
                        .start()) {
            assertThat(send(gateway, "POST", "money").body()).isEqualTo("elsewhere: /a?bmoney");
            assertThat(gateway.nextOutcome().attempts()).isEqualTo(2);
        }
    }

    @Test
    void anotherUpstreamGetsNoUnsafeRequestThatAnOriginHasReceived() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.reset());
                ScriptedOrigin elsewhere = elsewhere();
                Running gateway = new Setup()
                        .upstream(upstream("origin", origin.address()))
                        .upstream(upstream("elsewhere", elsewhere.address()))
                        .onFailure(ELSEWHERE)
                        .start()) {
            assertProblem(send(gateway, "POST", "money"), 502, ErrorKind.ORIGIN_RESET);
            assertThat(send(gateway, "PUT", "body").body()).isEqualTo("elsewhere: /a?bbody");
            assertThat(elsewhere.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void aListedStatusUsesTheFallbackToo() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.of(503, "busy")));
                ScriptedOrigin elsewhere = elsewhere();
                Running gateway = new Setup()
                        .upstream(upstream("origin", origin.address()))
                        .upstream(upstream("elsewhere", elsewhere.address()))
                        .onFailure(ELSEWHERE)
                        .start()) {
            assertThat(send(gateway, "GET", "").body()).isEqualTo("elsewhere: /a?b");
            assertThat(send(gateway, "POST", "money").status()).isEqualTo(503);
        }
    }

    @Test
    void aFallbackThatFailsIsAnError() throws Exception {
        try (RefusingPort refusing = new RefusingPort();
                RefusingPort another = new RefusingPort();
                Running gateway = new Setup()
                        .upstream(upstream("origin", refusing.address()))
                        .upstream(upstream("elsewhere", another.address()))
                        .onFailure(ELSEWHERE)
                        .retrying(RetryConfig.DEFAULT)
                        .start()) {
            assertProblem(send(gateway, "GET", ""), 502, ErrorKind.CONNECT_REFUSED);
            assertThat(gateway.nextOutcome().attempts()).as("two of each").isEqualTo(4);
        }
    }

    @Test
    void anOpenCircuitUsesTheFallbackAtOnce() throws Exception {
        UpstreamResilience guarded = new UpstreamResilience(
                RetryBudgetConfig.DEFAULT,
                new BreakerConfig(new Percent(50), Duration.ofSeconds(10), 5, Duration.ofSeconds(60), false),
                null,
                null);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.of(500, "broken")));
                ScriptedOrigin elsewhere = elsewhere();
                Running gateway = new Setup()
                        .upstream(upstream("origin", origin.address()).withResilience(guarded))
                        .upstream(upstream("elsewhere", elsewhere.address()))
                        .onFailure(ELSEWHERE)
                        .start()) {
            for (int i = 0; i < 5; i++) {
                assertThat(send(gateway, "GET", "").status()).isEqualTo(500);
            }
            assertThat(send(gateway, "POST", "money").body()).isEqualTo("elsewhere: /a?bmoney");
            assertThat(origin.requestsSeen()).isEqualTo(5);
        }
    }

    @Test
    void aTimeoutCausesAFailSilentResponse() throws Exception {
        RouteTimeouts quick = new RouteTimeouts(null, null, Duration.ofMillis(300), null, null);
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.stall());
                Running gateway = new Setup()
                        .upstream(upstream("origin", origin.address()))
                        .timeouts(quick)
                        .onFailure(SILENT)
                        .start()) {
            assertThat(send(gateway, "GET", "").status()).isEqualTo(204);
        }
    }
}
