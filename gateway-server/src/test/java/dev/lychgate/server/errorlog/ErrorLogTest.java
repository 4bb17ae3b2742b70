package dev.lychgate.server.errorlog;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.lychgate.chain.FilterSet;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.server.metrics.Gateways;
import dev.lychgate.server.metrics.GuardedObservers;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RefusingPort;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Lines of the application log about failed exchanges. */
class ErrorLogTest {
    private final Queue<ILoggingEvent> lines = new ConcurrentLinkedQueue<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ErrorLog.class);
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event);
        }
    };

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    private static Gateway start(int port) {
        return Gateway.start(Gateways.to(port), FilterSet.EMPTY, new GuardedObservers(List.of(new ErrorLog())));
    }

    @Test
    void theFirstRefusalIsLoggedAndTheFloodIsNot() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x")));
                Gateway gateway = start(origin.port());
                RawClient client = RawClient.connect(gateway.address("main"))) {
            for (int i = 0; i < 50; i++) {
                assertThat(client.get("/api/%00").status()).isEqualTo(400);
            }
            assertThat(client.get("/api/").status()).isEqualTo(200);
        }
        assertThat(lines).singleElement().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.INFO);
            assertThat(line.getFormattedMessage())
                    .startsWith("bad-path (400): ")
                    .contains(", client 127.0.0.1, request ")
                    .doesNotContain("%00");
        });
    }

    @Test
    void aFaultOfAnOriginIsAWarningThatNamesRouteAndEndpoint() throws Exception {
        try (RefusingPort origin = new RefusingPort();
                Gateway gateway = start(origin.address().getPort());
                RawClient client = RawClient.connect(gateway.address("main"))) {
            assertThat(client.get("/api/").status()).isEqualTo(502);
            assertThat(client.get("/api/%00").status()).isEqualTo(400);
            assertThat(client.get("/api/").status()).isEqualTo(502);
        }
        assertThat(lines).hasSize(2).first().satisfies(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage())
                    .startsWith(
                            "connect-refused (502): the origin refused the connection, route api, endpoint 127.0.0.1:");
        });
    }
}
