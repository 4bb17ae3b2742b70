package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.http2.Http2Error;
import dev.lychgate.testing.Ending;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.Http2Client;
import dev.lychgate.testing.Http2Client.GoAway;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Draining with HTTP/2 clients: they get two GOAWAYs, their streams end, and stalled ones are aborted. */
@Tag("slow")
class Http2DrainTest {
    private static final GoAway ANNOUNCED = new GoAway(Integer.MAX_VALUE, Http2Error.NO_ERROR);

    private static CompletableFuture<Integer> drain(Running gateway, Duration within) {
        return CompletableFuture.supplyAsync(() -> gateway.drain(within));
    }

    @Test
    @Rfc("9113, 6.8")
    void announcesTheEndAndServesRequestsInTransit() throws Exception {
        IdleGrace.play(grace -> {
            Gate gate = new Gate();
            try (ScriptedOrigin origin = ScriptedOrigin.answering(
                            (r, c) -> c.stallUntil(gate).send(Responses.ok(r.target())));
                    Running gateway = Setup.to(origin.address()).start();
                    Http2Client client = gateway.http2()) {
                client.get(1, "/1");
                origin.awaitRequests(1);
                CompletableFuture<Integer> cut = grace.drain(gateway);
                assertThat(client.awaitGoAway(1)).isEqualTo(ANNOUNCED);
                client.get(3, "/3");
                assertThat(client.awaitGoAway(2)).isEqualTo(new GoAway(3, Http2Error.NO_ERROR));
                assertThat(client.get(5, "/5").awaitReset(5)).isEqualTo(Http2Error.REFUSED_STREAM);
                gate.open();
                assertThat(client.response(1).body()).isEqualTo("/1");
                assertThat(client.response(3).body()).isEqualTo("/3");
                assertThat(client.awaitEnd()).isEqualTo(Ending.CLOSED);
                assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
            }
        });
    }

    @Test
    void anIdleConnectionIsClosedAfterAMoment() throws Exception {
        try (Running gateway = new Setup().start();
                Http2Client client = gateway.http2().sync()) {
            CompletableFuture<Integer> cut = drain(gateway, Duration.ofSeconds(10));
            assertThat(client.awaitGoAwayAndEnd()).isEqualTo(new GoAway(0, Http2Error.NO_ERROR));
            assertThat(client.goAways().get(0)).isEqualTo(ANNOUNCED);
            assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void aConnectionThatStartsDuringTheDrainGetsGoawayAtOnce() throws Exception {
        IdleGrace.play(grace -> {
            try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("late")));
                    Running gateway = Setup.to(origin.address()).start();
                    Http2Client client = Http2Client.silent(gateway.gateway().address("main"));
                    RawClient second = gateway.client()) {
                // When this one is answered, the first connection has been accepted, too.
                second.get("/");
                CompletableFuture<Integer> cut = grace.drain(gateway);
                var address = gateway.gateway().address("main");
                Eventually.eventually(() -> Assertions.assertThatThrownBy(
                                () -> RawClient.connect(address).close())
                        .isInstanceOf(ConnectException.class));
                client.preface().get(1, "/");
                assertThat(client.response(1).body()).isEqualTo("late");
                client.awaitGoAwayAndEnd();
                assertThat(client.goAways().get(0)).isEqualTo(ANNOUNCED);
                assertThat(cut.get(10, TimeUnit.SECONDS)).isZero();
            }
        });
    }

    @Test
    void stalledRequestsGet503AndStartedResponsesAreReset() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    if (c.readRequest().target().equals("/begun")) {
                        c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc");
                    }
                    c.awaitEnd();
                });
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/stuck").get(3, "/begun");
            client.await("head", () -> client.stream(3).bytes() == 3);
            origin.awaitRequests(2);
            gateway.drain(Duration.ofMillis(100));
            client.awaitGoAwayAndEnd();
            assertThat(client.stream(1).status()).isEqualTo(503);
            assertThat(client.stream(1).body()).contains(ErrorKind.DRAINING.label());
            assertThat(client.stream(1).isEnded()).isTrue();
            assertThat(client.stream(3).isEnded()).isFalse();
        }
    }

    /** A close with bytes unread would be a reset, which may destroy what the client has not read yet. */
    @Test
    void aClientThatContinuesToSendReceivesTheFinalGoaway() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x".repeat(60_000))));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2()) {
            client.get(1, "/").openingNoWindow();
            Eventually.eventually(() -> assertThat(gateway.hasMoreOutcomes()).isTrue());
            client.frame(Http2Client.PING, 0, 0, new byte[7]);
            for (int i = 0; i < 200; i++) {
                client.frame(99, 0, 0, new byte[1000]);
            }
            assertThat(client.awaitEnd()).isEqualTo(Ending.CLOSED);
            assertThat(client.awaitGoAwayAndEnd().error()).isEqualTo(Http2Error.FRAME_SIZE_ERROR);
            assertThat(client.stream(1).bytes()).isEqualTo(60_000);
        }
    }

    @Test
    @Rfc("9113, 6.8")
    void aClientThatSendsGoawayGetsItsResponsesAndTheEnd() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok("whole")));
                Running gateway = Setup.to(origin.address()).start();
                Http2Client client = gateway.http2();
                Http2Client idle = gateway.http2()) {
            client.get(1, "/").goAway(0).sync();
            gate.open();
            assertThat(client.response(1).body()).isEqualTo("whole");
            assertThat(client.awaitGoAwayAndEnd()).isEqualTo(new GoAway(1, Http2Error.NO_ERROR));
            assertThat(idle.goAway(0).awaitGoAwayAndEnd()).isEqualTo(new GoAway(0, Http2Error.NO_ERROR));
        }
    }
}
