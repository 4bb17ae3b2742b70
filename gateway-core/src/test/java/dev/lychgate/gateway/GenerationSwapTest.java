package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.config.RouteAction;
import dev.lychgate.pool.CloseReason;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** New settings at run time: for exchanges that begin from now on, without a connection dropped. */
class GenerationSwapTest {
    @Test
    void anExchangeKeepsTheGenerationItBeganWith() throws Exception {
        Gate gate = new Gate();
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((r, c) -> c.stallUntil(gate).send(Responses.ok("old")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient running = gateway.client();
                RawClient next = gateway.client()) {
            running.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            origin.awaitRequests(1);
            gateway.gateway()
                    .apply(new Setup()
                            .route("new", "/", new RouteAction.Respond(200, Map.of(), "new"))
                            .config());
            assertThat(next.get("/").body()).isEqualTo("new");
            assertThat(gateway.nextOutcome().generation()).isEqualTo(2);
            gate.open();
            assertThat(running.readResponse().body()).isEqualTo("old");
            assertThat(gateway.nextOutcome().generation()).isEqualTo(1);
            // The settings no longer contain the upstream: its connection is not kept.
            origin.awaitOpenConnections(0);
            assertThat(running.get("/").body()).isEqualTo("new");
        }
    }

    @Test
    void poolsOfTheSameUpstreamAreCarriedOverAndOthersRetired() throws Exception {
        try (ScriptedOrigin kept = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("kept")));
                ScriptedOrigin removed = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("removed")));
                Running gateway = Setup.to(kept.address())
                        .upstream("other", removed.address())
                        .route("a", "/a", new RouteAction.Proxy("origin"))
                        .route("b", "/b", new RouteAction.Proxy("other"))
                        .start();
                RawClient client = gateway.client()) {
            client.get("/a");
            client.get("/b");
            gateway.gateway()
                    .apply(Setup.to(kept.address())
                            .route("c", "/c", new RouteAction.Proxy("origin"))
                            .config());
            assertThat(client.get("/c").body()).isEqualTo("kept");
            assertThat(client.get("/b").status()).isEqualTo(404);
            removed.awaitOpenConnections(0);
            assertThat(kept.connectionsAccepted()).isEqualTo(1);
            assertThat(gateway.closedConnections(CloseReason.ORIGIN_CLOSED)).isZero();
        }
    }

    @Test
    void anUpstreamThatComesBackIsKeptAgain() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Running gateway = Setup.to(origin.address()).start();
                RawClient client = gateway.client()) {
            client.get("/");
            var first = gateway.gateway().generation().config();
            gateway.gateway()
                    .apply(new Setup()
                            .route("n", "/", new RouteAction.Respond(204, Map.of(), null))
                            .config());
            assertThat(client.get("/").status()).isEqualTo(204);
            gateway.gateway().apply(first);
            assertThat(client.get("/").body()).isEqualTo("x");
            assertThat(client.get("/").body()).isEqualTo("x");
            assertThat(origin.connectionsAccepted()).isEqualTo(2);
        }
    }

    @Test
    void anotherLimitOfConnectionsIsInForceAtOnce() throws Exception {
        Setup setup = new Setup().route("x", "/", new RouteAction.Respond(200, Map.of(), "x"));
        try (Running gateway = setup.start();
                RawClient client = gateway.client()) {
            assertThat(client.get("/").body()).isEqualTo("x");
            gateway.gateway().apply(setup.connections(7).config());
            assertThat(gateway.gateway().listeners().get(0).connectionLimit()).isEqualTo(7);
            assertThat(client.get("/").body()).isEqualTo("x");
        }
    }

    @Test
    void logsWarningsOnceForEachGenerationThatHasThem() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(Generations.class);
        logger.addAppender(log);
        Setup twice = new Setup()
                .route("one", "/", new RouteAction.Respond(200, Map.of(), "x"))
                .route("two", "/", new RouteAction.Respond(201, Map.of(), "x"));
        Setup once = new Setup().route("one", "/", new RouteAction.Respond(200, Map.of(), "x"));
        try (Running gateway = twice.start()) {
            gateway.gateway().apply(gateway.gateway().generation().config());
            assertThat(warnings(log)).hasSize(1);
            gateway.gateway().apply(once.config());
            gateway.gateway().apply(twice.config());
            assertThat(warnings(log)).hasSize(2).allMatch(line -> line.contains("routes[1] (two) is never reached"));
        } finally {
            logger.detachAppender(log);
        }
    }

    private static List<String> warnings(ListAppender<ILoggingEvent> log) {
        return log.list.stream()
                .filter(line -> line.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
