package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.RewriteConfig;
import dev.lychgate.config.RouteAction;
import dev.lychgate.config.SocketOptions;
import dev.lychgate.config.Transport;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client that sends many requests and reads no response stops the processing of further ones: the watermark and one response
 * bound the waiting bytes, independent of the number of requests.
 */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
@Tag("slow")
class PipelinedFloodTest {
    private static final int REQUESTS = 2000;
    private static final int ANSWER = 50_000;
    private static final String GET = "GET /p HTTP/1.1\r\nHost: a\r\n\r\n";
    /**
     * The kernel doubles the configured size, and buffers some bytes for the reader as well; far below {@link #REQUESTS}
     * responses.
     */
    private static final int MOST_ANSWERED = 100;

    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    private Setup small(Setup setup) {
        SocketOptions d = SocketOptions.DEFAULT;
        return setup.transport(transport)
                .socket(new SocketOptions(
                        d.backlog(),
                        false,
                        ByteSize.ofKiB(8),
                        ByteSize.ofKiB(32),
                        ByteSize.ofKiB(16),
                        ByteSize.ofKiB(64)));
    }

    private static void flood(Running gateway) throws Exception {
        try (RawClient client = RawClient.connectWithReceiveBuffer(
                        gateway.gateway().address("main"), 8192)
                .within(Duration.ofSeconds(60))) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try {
                    client.send(GET.repeat(REQUESTS));
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            gateway.nextOutcome();
            int answered = 1;
            for (int quiet = 0; quiet < 5; quiet++) {
                Thread.sleep(100);
                while (gateway.hasMoreOutcomes()) {
                    gateway.nextOutcome();
                    answered++;
                    quiet = 0;
                }
            }
            assertThat(answered).isLessThanOrEqualTo(MOST_ANSWERED);
            // No response was discarded: the client can still read all of them.
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(client.readResponse().body()).hasSize(ANSWER);
            }
            sent.join();
        }
    }

    @Test
    @Rfc("9112, 9.3.2")
    void boundsUnreadResponsesOfTheGateway() throws Exception {
        RouteAction.Respond large = new RouteAction.Respond(200, Map.of(), "x".repeat(ANSWER));
        try (Running gateway =
                small(new Setup().route("p", "/p", RewriteConfig.NONE, large)).start()) {
            flood(gateway);
        }
    }

    @Test
    @Rfc("9112, 9.3.2")
    void boundsUnreadResponsesOfAnOrigin() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.answering((r, c) -> c.send(Responses.ok("x".repeat(ANSWER))));
                Running gateway = small(Setup.to(origin.address())).start()) {
            flood(gateway);
            assertThat(origin.requestsSeen()).isEqualTo(REQUESTS);
        }
    }
}
