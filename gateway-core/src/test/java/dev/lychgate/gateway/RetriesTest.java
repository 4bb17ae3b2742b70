package dev.lychgate.gateway;

import static dev.lychgate.gateway.Problems.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.EndpointConfig;
import dev.lychgate.config.Percent;
import dev.lychgate.config.RetryBudgetConfig;
import dev.lychgate.config.RetryConfig;
import dev.lychgate.config.RouteTimeouts;
import dev.lychgate.config.UpstreamConfig;
import dev.lychgate.config.UpstreamResilience;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.BlackHole;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.RequestScript;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A route that sends requests again: up to three attempts, after resets, refused connections, time-outs and 503. */
@Tag("slow")
class RetriesTest {
    private static final RetryConfig RETRY = retry(Duration.ZERO, false, ByteSize.ofKiB(64));

    private static RetryConfig retry(Duration perTry, boolean idempotent, ByteSize body) {
        return new RetryConfig(
                3,
                List.of("connect-failure", "reset", "timeout", "503"),
                perTry,
                new RetryConfig.Backoff(Duration.ofMillis(1), Duration.ofMillis(20)),
                Duration.ofSeconds(1),
                body,
                idempotent,
                null);
    }

    /** An origin that runs {@code first} for its first requests, and responds to the others with their body. */
    private static ScriptedOrigin origin(int failures, RequestScript first) {
        AtomicInteger seen = new AtomicInteger();
        return ScriptedOrigin.answering((request, c) -> {
            if (seen.incrementAndGet() <= failures) {
                first.respond(request, c);
            } else {
                c.send(Responses.ok("attempt " + seen.get() + ": " + request.body()));
            }
        });
    }

    private static Setup to(InetSocketAddress... endpoints) {
        EndpointConfig[] all = new EndpointConfig[endpoints.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = new EndpointConfig("127.0.0.1", endpoints[i].getPort());
        }
        UpstreamResilience generous =
                new UpstreamResilience(new RetryBudgetConfig(new Percent(100), 1000), null, null, null);
        return new Setup().upstream(UpstreamConfig.of("origin", all).withResilience(generous));
    }

    private static RawMessage get(Running gateway) throws Exception {
        try (RawClient client = gateway.client()) {
            return client.get("/");
        }
    }

    private static RawMessage post(Running gateway, String body) throws Exception {
        try (RawClient client = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            return client.readResponse();
        }
    }

    @Test
    @Rfc("9110, 9.2.2")
    void aGetIsSentAgainAfterResets() throws Exception {
        try (ScriptedOrigin origin = origin(2, (r, c) -> c.reset());
                Running gateway = to(origin.address()).retrying(RETRY).start()) {
            assertThat(get(gateway).body()).isEqualTo("attempt 3: ");
            assertThat(gateway.nextOutcome().attempts()).isEqualTo(3);
        }
    }

    @Test
    @Rfc("9110, 15.2")
    void attemptsShareTheAllowanceOfInterimResponses() throws Exception {
        String hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(100);
        try (ScriptedOrigin origin = origin(2, (r, c) -> c.send(hints + Responses.of(503, "busy")));
                Running gateway = to(origin.address()).retrying(RETRY).start()) {
            assertProblem(get(gateway), 502, ErrorKind.MALFORMED_RESPONSE);
            assertThat(origin.requestsSeen()).isEqualTo(2);
        }
    }

    @Test
    @Rfc({"9110, 9.2.2", "10008, 2"})
    void aQueryIsSentAgainWithItsBody() throws Exception {
        try (ScriptedOrigin origin = origin(2, (r, c) -> c.reset());
                Running gateway = to(origin.address()).retrying(RETRY).start();
                RawClient client = gateway.client()) {
            client.send("QUERY / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nselect");
            assertThat(client.readResponse().body()).isEqualTo("attempt 3: select");
            assertThat(gateway.nextOutcome().attempts()).isEqualTo(3);
        }
    }

    @Test
    void doesNotRetryMoreOftenThanTheRouteAllows() throws Exception {
        try (ScriptedOrigin origin = origin(100, (r, c) -> c.reset());
                Running gateway = to(origin.address()).retrying(RETRY).start()) {
            assertProblem(get(gateway), 502, ErrorKind.ORIGIN_RESET);
            assertThat(origin.requestsSeen()).isEqualTo(3);
        }
    }

    @Test
    void aConnectionThatWasStaleCostsNoneOfTheAttempts() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start()
                        .onNextConnection(c -> {
                            c.readRequest();
                            c.send(Responses.ok("first"));
                            c.readRequest();
                            c.reset();
                        })
                        .onConnection(c -> {
                            c.readRequest();
                            c.reset();
                        });
                Running gateway = to(origin.address()).retrying(RETRY).start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).isEqualTo("first");
            assertThat(gateway.nextOutcome().attempts()).isEqualTo(1);
            assertProblem(client.get("/"), 502, ErrorKind.ORIGIN_RESET);
            assertThat(gateway.nextOutcome().attempts()).isEqualTo(1 + 3);
            assertThat(origin.requestsSeen()).isEqualTo(1 + 1 + 3);
        }
    }

    @Test
    @Rfc("9110, 9.2.2")
    void aPostThatTheOriginHasSeenIsSentOnce() throws Exception {
        try (ScriptedOrigin origin = origin(1, (r, c) -> c.reset());
                Running gateway = to(origin.address()).retrying(RETRY).start()) {
            assertProblem(post(gateway, "pay"), 502, ErrorKind.ORIGIN_RESET);
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void aPostIsSentAgainWithItsBodyIfTheRoutePermitsIt() throws Exception {
        try (ScriptedOrigin origin = origin(2, (r, c) -> c.reset());
                Running gateway = to(origin.address())
                        .retrying(retry(Duration.ZERO, true, ByteSize.ofKiB(64)))
                        .start()) {
            assertThat(post(gateway, "x".repeat(50_000)))
                    .satisfies(response -> assertThat(response.body()).isEqualTo("attempt 3: " + "x".repeat(50_000)));
        }
    }

    @Test
    void aChunkedBodyWithTrailersIsSentAgainAsItWas() throws Exception {
        try (ScriptedOrigin origin = origin(1, (r, c) -> c.send(Responses.of(503, "busy")));
                Running gateway = to(origin.address()).retrying(RETRY).start();
                RawClient client = gateway.client()) {
            client.send("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            client.send("6\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n");
            assertThat(client.readResponse().body()).isEqualTo("attempt 2: hello world");
        }
    }

    @Test
    void aBodyThatIsTooLongToBeKeptIsSentOnce() throws Exception {
        try (ScriptedOrigin origin = origin(1, (r, c) -> c.send(Responses.of(503, "busy")));
                Running gateway = to(origin.address())
                        .retrying(retry(Duration.ZERO, true, new ByteSize(1000)))
                        .start()) {
            assertThat(post(gateway, "x".repeat(1001)).status()).isEqualTo(503);
            assertThat(post(gateway, "x".repeat(1000)).status()).isEqualTo(200);
            assertThat(origin.requestsSeen()).isEqualTo(2);
        }
    }

    @Test
    void aRefusedConnectionIsRetriedEvenForAPost() throws Exception {
        try (RefusingPort refusing = new RefusingPort();
                ScriptedOrigin origin = origin(0, (r, c) -> c.reset());
                Running gateway =
                        to(refusing.address(), origin.address()).retrying(RETRY).start()) {
            for (int i = 1; i <= 20; i++) {
                assertThat(post(gateway, "pay").body()).isEqualTo("attempt " + i + ": pay");
            }
            assertThat(origin.requestsSeen()).isEqualTo(20);
        }
    }

    @Test
    void anotherEndpointGoesFirst() throws Exception {
        try (ScriptedOrigin bad = origin(Integer.MAX_VALUE, (r, c) -> c.send(Responses.of(503, "busy")));
                ScriptedOrigin good = origin(0, (r, c) -> c.reset());
                Running gateway =
                        to(bad.address(), good.address()).retrying(RETRY).start()) {
            for (int i = 0; i < 40; i++) {
                assertThat(get(gateway).status()).isEqualTo(200);
            }
            assertThat(good.requestsSeen()).isEqualTo(40);
            assertThat(bad.requestsSeen()).isPositive();
        }
    }

    @Test
    @Rfc("9110, 10.2.3")
    void theDelayFollowsTheRetryAfterOfTheOrigin() throws Exception {
        try (ScriptedOrigin origin = origin(1, (r, c) -> c.send(Responses.of(503, "busy", "Retry-After: 1")));
                Running gateway = to(origin.address()).retrying(RETRY).start()) {
            long began = System.nanoTime();
            assertThat(get(gateway).status()).isEqualTo(200);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        }
    }

    @Test
    @Rfc("9110, 10.2.3")
    void theOriginIsNotGivenMoreTimeThanTheRouteHas() throws Exception {
        try (ScriptedOrigin origin = origin(1, (r, c) -> c.send(Responses.of(503, "busy", "Retry-After: 60")));
                Running gateway = to(origin.address()).retrying(RETRY).start()) {
            RawMessage response = get(gateway);
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.value("retry-after")).hasValue("60");
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void anAttemptThatTakesTooLongMakesRoomForAnother() throws Exception {
        try (ScriptedOrigin origin = origin(1, (r, c) -> c.stall());
                Running gateway = to(origin.address())
                        .retrying(retry(Duration.ofSeconds(1), false, ByteSize.ofKiB(1)))
                        .start()) {
            assertThat(get(gateway).body()).isEqualTo("attempt 2: ");
        }
    }

    @Test
    void aPostThatStillWaitsForAConnectionIsSentElsewhere() throws Exception {
        try (BlackHole hole = new BlackHole();
                ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("elsewhere " + r.body())));
                Running gateway = Setup.to(hole.address(), origin.address())
                        .retrying(retry(Duration.ofSeconds(1), false, ByteSize.ofKiB(1)))
                        .start();
                RawClient client = gateway.client()) {
            // In turn or by lot, one of them meets the hole first.
            for (int i = 0; i < 8; i++) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nonce");
                assertThat(client.readResponse().body()).isEqualTo("elsewhere once");
            }
            assertThat(origin.requestsSeen()).isEqualTo(8);
        }
    }

    @Test
    void allAttemptsShareTheTimeOfTheExchange() throws Exception {
        RouteTimeouts limited = new RouteTimeouts(null, null, null, null, Duration.ofMillis(2600));
        RetryConfig many = new RetryConfig(
                10,
                List.of("timeout"),
                Duration.ofSeconds(1),
                new RetryConfig.Backoff(Duration.ofMillis(1), Duration.ofMillis(20)),
                Duration.ofSeconds(1),
                ByteSize.ofKiB(1),
                false,
                null);
        try (ScriptedOrigin origin = origin(100, (r, c) -> c.stall());
                Running gateway =
                        to(origin.address()).timeouts(limited).retrying(many).start()) {
            assertThat(get(gateway).status()).isEqualTo(504);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.EXCHANGE_TIMEOUT);
            assertThat(origin.requestsSeen()).isBetween(2, 3);
        }
    }

    @Test
    void doesNotRetryAfterTheStartOfTheResponse() throws Exception {
        try (ScriptedOrigin origin = origin(1, (r, c) -> {
                    c.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                    c.reset();
                });
                Running gateway = to(origin.address()).retrying(RETRY).start();
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            client.awaitEnd();
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void aClientThatLeavesDuringThePauseEndsIt() throws Exception {
        RetryConfig patient = new RetryConfig(
                3,
                List.of("503"),
                Duration.ZERO,
                RetryConfig.Backoff.DEFAULT,
                Duration.ofSeconds(30),
                ByteSize.ofKiB(1),
                false,
                null);
        try (ScriptedOrigin origin = origin(100, (r, c) -> c.send(Responses.of(503, "busy", "Retry-After: 3")));
                Running gateway = to(origin.address()).retrying(patient).start()) {
            try (RawClient client = gateway.client()) {
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                origin.awaitRequests(1);
                Thread.sleep(100);
            }
            assertThat(gateway.nextOutcome().attempts()).isEqualTo(1);
            Thread.sleep(3500);
            assertThat(origin.requestsSeen()).isEqualTo(1);
        }
    }

    @Test
    void theBudgetBoundsTheRetriesOfAStormOfFailures() throws Exception {
        UpstreamResilience tight = new UpstreamResilience(new RetryBudgetConfig(new Percent(20), 0), null, null, null);
        try (ScriptedOrigin origin = origin(Integer.MAX_VALUE, (r, c) -> c.send(Responses.of(503, "busy")));
                Running gateway = new Setup()
                        .upstream(UpstreamConfig.of("origin", new EndpointConfig("127.0.0.1", origin.port()))
                                .withResilience(tight))
                        .retrying(RETRY)
                        .start();
                RawClient client = gateway.client()) {
            for (int i = 0; i < 200; i++) {
                assertThat(client.get("/").status()).isEqualTo(503);
            }
            assertThat(origin.requestsSeen()).isBetween(220, 240);
        }
    }
}
