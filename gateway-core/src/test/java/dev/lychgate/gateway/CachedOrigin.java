package dev.lychgate.gateway;

import dev.lychgate.config.CacheConfig;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Pattern;

/** An origin that numbers its responses, so that tests detect which of them a client receives. */
final class CachedOrigin {
    private static final Pattern TTL = Pattern.compile("ttl=(-?\\d+)");

    static final CacheConfig CACHE = CacheConfig.DEFAULT;
    /** Fields of a response that is stale from the beginning and can be validated. */
    static final String[] STALE = {"Cache-Control: max-age=60", "Age: 100", "ETag: \"1\""};

    private CachedOrigin() {}

    /** Responds to each request with its number, for example {@code n1}, and these field lines. */
    static ScriptedOrigin numbering(String... fieldLines) {
        return answering(request -> fieldLines);
    }

    static ScriptedOrigin answering(Function<RawMessage, String[]> fieldLines) {
        AtomicInteger count = new AtomicInteger();
        return ScriptedOrigin.answeringWhoStays((request, connection) -> {
            String body = "n" + count.incrementAndGet();
            String[] lines = fieldLines.apply(request);
            connection.send(
                    request.method().equals("HEAD")
                            ? Responses.head(200, lines) + "Content-Length: " + body.length() + "\r\n\r\n"
                            : Responses.of(200, body, lines));
        });
    }

    /** Responds with 304 to requests with conditions, otherwise like {@link #numbering}. */
    static ScriptedOrigin validating(String[] fieldLines, String... notModified) {
        AtomicInteger count = new AtomicInteger();
        return ScriptedOrigin.answeringWhoStays((request, connection) -> connection.send(
                request.has("if-none-match") || request.has("if-modified-since")
                        ? Responses.head(304, notModified) + "\r\n"
                        : Responses.of(200, "n" + count.incrementAndGet(), fieldLines)));
    }

    static Setup cached(ScriptedOrigin origin, CacheConfig cache) {
        return Setup.to(origin.address()).cache(cache);
    }

    static Running start(ScriptedOrigin origin) {
        return cached(origin, CACHE).start();
    }

    static RawMessage get(RawClient client, String target, String... fieldLines) throws Exception {
        return request(client, "GET", target, fieldLines);
    }

    static RawMessage request(RawClient client, String method, String target, String... fieldLines) throws Exception {
        StringBuilder text = new StringBuilder(method + ' ' + target + " HTTP/1.1\r\n");
        boolean host = false;
        for (String line : fieldLines) {
            host |= line.startsWith("Host:");
            text.append(line).append("\r\n");
        }
        text.append(host ? "" : "Host: shop\r\n").append("\r\n");
        return client.send(text.toString()).readResponseTo(method);
    }

    /** Returns {@code Cache-Status} with remaining lifetimes rounded up to tens of seconds, because tests take some time. */
    static String status(RawMessage response) {
        return TTL.matcher(String.join(", ", response.values("cache-status")))
                .replaceAll(ttl -> "ttl=" + roundedUp(Integer.parseInt(ttl.group(1))));
    }

    private static int roundedUp(int seconds) {
        return (int) Math.ceil(seconds / 10.0) * 10;
    }
}
