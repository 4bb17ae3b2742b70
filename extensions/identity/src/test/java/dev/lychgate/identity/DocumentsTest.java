package dev.lychgate.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The downloads of documents, from a real socket. */
class DocumentsTest {
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ScriptedOrigin issuer = ScriptedOrigin.answeringWhoStays((request, connection) -> {
        switch (request.target()) {
            case "/keys" -> connection.send(Responses.ok("{\"keys\":[]}"));
            case "/moved" -> connection.send(Responses.of(302, "", "location: /keys"));
            case "/long" -> connection.send(Responses.ok("x".repeat((1 << 20) + 1)));
            case "/stalled" -> {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
                connection.awaitEnd();
                ended.countDown();
            }
            default -> connection.send(Responses.of(404, "none"));
        }
    });

    @AfterEach
    void close() {
        issuer.close();
    }

    private String get(String path) throws Exception {
        return Documents.get(URI.create("http://127.0.0.1:" + issuer.port() + path))
                .get(10, TimeUnit.SECONDS);
    }

    @Test
    void returnsTheDocument() throws Exception {
        assertThat(get("/keys")).isEqualTo("{\"keys\":[]}");
    }

    @Test
    void followsNoRedirectAndRefusesOtherStatusesAndLongDocuments() throws Exception {
        assertThatThrownBy(() -> get("/moved")).hasMessageContaining("status 302");
        assertThat(issuer.requestsSeen()).isEqualTo(1);
        assertThatThrownBy(() -> get("/none")).hasMessageContaining("status 404");
        assertThatThrownBy(() -> get("/long")).hasMessageContaining("more than 1 MiB");
    }

    /** Downloads of a stalled issuer are repeated, so each of them must end. */
    @Test
    void closesTheConnectionOfADocumentThatDoesNotEnd() throws Exception {
        URI stalled = URI.create("http://127.0.0.1:" + issuer.port() + "/stalled");
        // On a busy machine, the time may end before the request reaches the issuer, in another exception.
        do {
            CompletableFuture<String> download = Documents.get(stalled, Duration.ofMillis(500));
            assertThatThrownBy(() -> download.get(10, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfAny(TimeoutException.class, HttpTimeoutException.class);
        } while (issuer.requestsSeen() == 0);
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
