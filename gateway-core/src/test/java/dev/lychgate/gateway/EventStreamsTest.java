package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.Ending;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Slow responses by design: each event passes at once, silence has its limit, and both sides end together. */
@Tag("slow")
class EventStreamsTest {
    private static final String GET = "GET /events HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\r\n";
    private static final String HEAD =
            Responses.head(200, "Content-Type: text/event-stream", "Transfer-Encoding: chunked") + "\r\n";

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    private static String read(RawClient client, int bytes) throws Exception {
        return new String(client.readBytes(bytes), StandardCharsets.US_ASCII);
    }

    @Test
    void eachEventPassesBeforeTheNextIsSent() throws Exception {
        Gate[] seen = {new Gate(), new Gate(), new Gate()};
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(HEAD);
                    for (int i = 0; i < seen.length; i++) {
                        c.stallUntil(seen[i]);
                        c.send(chunk("data: " + i + "\n\n"));
                    }
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send(GET);
            // The head passes without the body, too.
            assertThat(client.readHead().status()).isEqualTo(200);
            for (int i = 0; i < seen.length; i++) {
                seen[i].open();
                String event = chunk("data: " + i + "\n\n");
                assertThat(read(client, event.length())).isEqualTo(event);
            }
        }
    }

    @Test
    void silenceBeyondTheRoutesTimeoutEndsTheStream() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(HEAD);
                    Thread.sleep(1300);
                    c.send(chunk(":\n"));
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address())
                        .timeouts(Setup.waiting(
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(1),
                                Duration.ofMillis(3600),
                                Duration.ZERO))
                        .start();
                RawClient client = gateway.client()) {
            client.send(GET);
            client.readHead();
            assertThat(new String(client.readUntilClose(), StandardCharsets.US_ASCII))
                    .isEqualTo(chunk(":\n"));
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.RESPONSE_BODY_TIMEOUT);
        }
    }

    @Test
    void aClientThatLeavesEndsTheOriginsStreamAtOnce() throws Exception {
        CompletableFuture<Ending> ended = new CompletableFuture<>();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readRequest();
                    c.send(HEAD + chunk("data: 1\n\n"));
                    ended.complete(c.awaitEnd());
                });
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send(GET);
            client.readHead();
            client.halfClose();
            ended.get(10, TimeUnit.SECONDS);
            assertThat(gateway.nextOutcome().error()).isEqualTo(ErrorKind.CLIENT_GONE);
        }
    }

    @Test
    void aReturningClientSendsItsLastEventId() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering(
                        (r, c) -> c.send(Responses.of(200, "data: 43\n\n", "Content-Type: text/event-stream")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send(GET.replace("\r\n\r\n", "\r\nLast-Event-ID: 42\r\n\r\n"));
            RawMessage response = client.readResponse();
            assertThat(response.body()).isEqualTo("data: 43\n\n");
            assertThat(origin.requests().get(0).value("last-event-id")).contains("42");
        }
    }

    @Test
    void aLongPollGetsItsResponseAsSoonAsTheOriginResponds() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok("news")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.send("GET /poll HTTP/1.1\r\nHost: a\r\n\r\n");
            client.expectSilence(Duration.ofMillis(300));
            gate.open();
            assertThat(client.readResponse().body()).isEqualTo("news");
        }
    }
}
