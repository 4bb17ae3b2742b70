package dev.lychgate.zuul;

import static dev.lychgate.zuul.ZuulGateway.filter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** PATCH, chunked requests, and long bodies that no filter reads. */
@Tag("slow")
class ZuulStreamsTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final int LENGTH = 100;
    /** The shortest limit of bodies that filters read: a body that was kept would exceed it. */
    private static final Map<String, Object> SETTINGS = Map.of("body-limit", "1KiB");
    /** Filters of all phases that read and change only heads. */
    private static final Map<String, String> HEADS = Map.of(
            "pre/Line.groovy",
            filter(
                    "Line",
                    "pre",
                    1,
                    "ctx.addZuulRequestHeader('x-line', ctx.request.method + ctx.request.contentLength)"),
            "route/Route.groovy",
            filter("Route", "route", 1, "ctx.set('routed', true)"),
            "post/Served.groovy",
            filter(
                    "Served",
                    "post",
                    1,
                    "ctx.addZuulResponseHeader('x-served', \"${ctx.responseStatusCode} ${ctx.routed}\")"));

    private static final String READS =
            filter("Reads", "pre", 1, "ctx.addZuulRequestHeader('x-read', ctx.request.inputStream.getText('UTF-8'))");
    private static final String REPLACES = """
            import com.netflix.zuul.http.HttpServletRequestWrapper
            import com.netflix.zuul.http.ServletInputStreamWrapper
            """ + filter("Replaces", "pre", 1, """
                    byte[] other = (ctx.request.inputStream.getText('UTF-8') + ' and more').bytes
                    ctx.setRequest(new javax.servlet.http.HttpServletRequestWrapper(ctx.request) {
                        javax.servlet.ServletInputStream getInputStream() { new ServletInputStreamWrapper(other) }
                        int getContentLength() { other.length }
                        long getContentLengthLong() { other.length }
                    })""");

    private static RawMessage sent(String filter, String request) throws Exception {
        try (ScriptedOrigin origin =
                        ScriptedOrigin.answering((message, connection) -> connection.send(Responses.ok("origin")));
                ZuulGateway gateway = ZuulGateway.start(origin, Map.of(), Map.of("pre/F.groovy", filter))) {
            assertThat(gateway.send(request).body()).isEqualTo("origin");
            return origin.requests().get(0);
        }
    }

    private static final String PATCH =
            "PATCH /items/1 HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}";
    private static final String CHUNKED = "POST /items HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n7\r\n second\r\n0\r\n\r\n";

    @Test
    void patchPassesWithItsBody() throws Exception {
        RawMessage head = sent(filter("Head", "pre", 1, "ctx.set('method', ctx.request.method)"), PATCH);
        RawMessage read = sent(READS, PATCH);
        RawMessage replaced = sent(REPLACES, PATCH);

        assertThat(head.startLine() + head.body()).isEqualTo("PATCH /items/1 HTTP/1.1{\"a\":1}");
        assertThat(read.startLine() + read.body()).isEqualTo("PATCH /items/1 HTTP/1.1{\"a\":1}");
        assertThat(read.value("x-read")).contains("{\"a\":1}");
        assertThat(replaced.startLine() + replaced.body()).isEqualTo("PATCH /items/1 HTTP/1.1{\"a\":1} and more");
    }

    @Test
    void chunkedRequestPassesWithItsBody() throws Exception {
        RawMessage head = sent(filter("Head", "pre", 1, "ctx.set('chunked', ctx.isChunkedRequestBody())"), CHUNKED);
        RawMessage read = sent(READS, CHUNKED);
        RawMessage replaced = sent(REPLACES, CHUNKED);

        assertThat(head.body()).isEqualTo("first second");
        assertThat(read.body()).isEqualTo("first second");
        assertThat(read.value("x-read")).contains("first second");
        assertThat(replaced.body()).isEqualTo("first second and more");
    }

    @Test
    void longResponseStreamsThroughFiltersThatReadNoBody() throws Exception {
        byte[] part = new byte[MEBIBYTE];
        CompletableFuture<Void> firstRead = new CompletableFuture<>();
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(connection -> {
                    connection.within(Duration.ofMinutes(1)).readHead();
                    connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + (long) LENGTH * MEBIBYTE + "\r\n\r\n");
                    connection.send(part);
                    // The rest is sent after the client has received the beginning, so nothing waits for the whole
                    // body.
                    firstRead.join();
                    for (int i = 1; i < LENGTH; i++) {
                        connection.send(part);
                    }
                    connection.awaitEnd();
                });
                ZuulGateway gateway = ZuulGateway.start(origin, SETTINGS, HEADS);
                RawClient client = RawClient.connect(gateway.address()).within(Duration.ofMinutes(1))) {
            RawMessage head =
                    client.send("GET /long HTTP/1.1\r\nHost: a\r\n\r\n").readHead();
            client.readBytes(MEBIBYTE);
            firstRead.complete(null);
            for (int i = 1; i < LENGTH; i++) {
                client.readBytes(MEBIBYTE);
            }

            assertThat(head.value("x-served")).contains("200 true");
        }
    }

    @Test
    void longRequestStreamsThroughFiltersThatReadNoBody() throws Exception {
        AtomicLong received = new AtomicLong();
        CompletableFuture<RawMessage> head = new CompletableFuture<>();
        CompletableFuture<Void> firstRead = new CompletableFuture<>();
        byte[] part = new byte[MEBIBYTE];
        try (ScriptedOrigin origin = ScriptedOrigin.start().onConnection(connection -> {
                    head.complete(connection.within(Duration.ofMinutes(1)).readHead());
                    for (int i = 0; i < LENGTH; i++) {
                        received.addAndGet(connection.readBytes(MEBIBYTE).length);
                        firstRead.complete(null);
                    }
                    connection.send(Responses.ok("whole"));
                    connection.awaitEnd();
                });
                ZuulGateway gateway = ZuulGateway.start(origin, SETTINGS, HEADS);
                RawClient client = RawClient.connect(gateway.address()).within(Duration.ofMinutes(1))) {
            client.send("PUT /long HTTP/1.1\r\nHost: a\r\nContent-Length: " + LENGTH * MEBIBYTE + "\r\n\r\n")
                    .send(part);
            firstRead.join();
            for (int i = 1; i < LENGTH; i++) {
                client.send(part);
            }

            assertThat(client.readResponse().body()).isEqualTo("whole");
            assertThat(received).hasValue((long) LENGTH * MEBIBYTE);
            assertThat(head.join().value("x-line")).contains("PUT" + LENGTH * MEBIBYTE);
        }
    }
}
