package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.Transport;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.IOException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An origin that responds to an upload early and closes: its response reaches the client, even while the client still sends.
 */
@ParameterizedClass
@EnumSource(names = {"AUTO", "NIO"})
@Tag("slow")
class EarlyResponsesTest {
    @Parameter
    @SuppressWarnings("NullAway.Init") // by JUnit
    Transport transport;

    @RepeatedTest(5)
    @Rfc({"9112, 9.5", "9112, 9.6"})
    void anAnswerThatIsFollowedByAResetIsNotLost() throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
                    c.readHead();
                    c.send(Responses.of(413, "too much", "Connection: close"));
                    // Closed with the rest of the request unread: the system resets the connection.
                });
                Running gateway =
                        Setup.to(origin.address()).transport(transport).start();
                RawClient client = gateway.client()) {
            Thread sender = new Thread(() -> upload(client));
            sender.start();
            RawMessage response = client.readResponse();
            sender.join();
            assertThat(response.status()).isEqualTo(413);
        }
    }

    private static void upload(RawClient client) {
        try {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n");
            client.send(new byte[4_000_000]);
        } catch (IOException expected) {
            // The gateway does not read all of it.
        }
    }
}
