package dev.lychgate.filters.builtin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.OutboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.filters.coding.CodingCounters;
import dev.lychgate.filters.coding.ContentCoding;
import dev.lychgate.filters.coding.Decoder;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that {@code compress} compresses, and their headers. */
@Tag("slow")
class CompressTest {
    private static final String TEXT = "All work and no play makes Jack a dull boy. ".repeat(100);
    private static final FilterSet COMPRESS = Filtered.global("compress", Map.of());
    private static final String ALL = "Accept-Encoding: gzip, deflate, br, zstd\r\n";

    private static Filtered answering(String fields, FilterSet filters) throws Exception {
        return new Filtered(
                ScriptedOrigin.answering((request, c) -> c.send(response("200 OK", fields, request.method()))),
                filters);
    }

    private static String response(String status, String fields, String method) {
        String head = "HTTP/1.1 " + status + "\r\nContent-Type: text/plain\r\nContent-Length: " + TEXT.length() + "\r\n"
                + fields + "\r\n";
        return method.equals("HEAD") ? head : head + TEXT;
    }

    static String decoded(String coding, byte[] bytes) {
        ContentCoding known = ContentCoding.of(coding);
        assertThat(known).isNotNull();
        Decoder decoder = known.decoder();
        decoder.feed(bytes);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] room = new byte[5000];
        for (int n = decoder.decode(room); n > 0; n = decoder.decode(room)) {
            all.write(room, 0, n);
        }
        decoder.end();
        decoder.close();
        return all.toString(ISO_8859_1);
    }

    // ---- compressed responses

    @ParameterizedTest
    @CsvSource({"zstd, zstd", "br, br", "gzip, gzip", "'gzip, deflate, br, zstd', zstd", "'gzip;q=1, br;q=0.1', gzip"})
    void compressesWithACodingThatTheClientAccepts(String accepted, String coding) throws Exception {
        try (Filtered way =
                answering("ETag: \"v1\"\r\nAccept-Ranges: bytes\r\nContent-Digest: x=:AA==:\r\n", COMPRESS)) {
            RawMessage response = way.send("GET /", "Accept-Encoding: " + accepted + "\r\n");
            assertThat(response.value("content-encoding")).hasValue(coding);
            assertThat(decoded(coding, response.bodyBytes())).isEqualTo(TEXT);
            assertThat(response.bodyBytes().length).isLessThan(TEXT.length() / 10);
            assertThat(response.value("vary")).hasValue("Accept-Encoding");
            assertThat(response.value("etag")).hasValue("W/\"v1\"");
            assertThat(response.has("content-length")).isFalse();
            assertThat(response.has("accept-ranges")).isFalse();
            assertThat(response.has("content-digest")).isFalse();
        }
    }

    @Test
    void deflateIsUsedIfItIsListed() throws Exception {
        try (Filtered way = answering("", Filtered.onRoute("compress", Map.of("codings", List.of("deflate"))))) {
            RawMessage response = way.send("GET /", ALL);
            assertThat(decoded("deflate", response.bodyBytes())).isEqualTo(TEXT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Accept-Encoding: snappy\r\n", "Accept-Encoding: gzip;q=0\r\n", "Accept-Encoding:\r\n"})
    void clientsThatAcceptNoCodingGetPlainBodiesWithVary(String accepted) throws Exception {
        try (Filtered way = answering("ETag: \"v1\"\r\nVary: Origin\r\n", COMPRESS)) {
            RawMessage response = way.send("GET /", accepted);
            assertThat(response.body()).isEqualTo(TEXT);
            assertThat(response.has("content-encoding")).isFalse();
            assertThat(response.value("vary")).hasValue("Origin, Accept-Encoding");
            assertThat(response.value("etag")).hasValue("\"v1\"");
            assertThat(response.value("content-length")).hasValue("" + TEXT.length());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'*', '*'",
        "'accept-encoding', 'accept-encoding'",
        "'Origin, ACCEPT-ENCODING', 'Origin, ACCEPT-ENCODING'"
    })
    void varyIsNotDuplicated(String before, String after) throws Exception {
        try (Filtered way = answering("Vary: " + before + "\r\n", COMPRESS)) {
            assertThat(way.send("GET /", ALL).values("vary")).containsExactly(after);
        }
    }

    @Test
    void aWeakTagIsUnchanged() throws Exception {
        try (Filtered way = answering("ETag: W/\"v1\"\r\n", COMPRESS)) {
            assertThat(way.send("GET /", ALL).value("etag")).hasValue("W/\"v1\"");
        }
    }

    // ---- uncompressed responses

    @ParameterizedTest
    @ValueSource(
            strings = {
                "200 OK|Content-Encoding: gzip\r\n",
                "200 OK|Content-Encoding: something\r\n",
                "200 OK|Cache-Control: public, No-Transform\r\n",
                "206 Partial Content|Content-Range: bytes 0-4399/9999\r\n",
                "200 OK|Content-Range: bytes 0-4399/9999\r\n",
            })
    void passesResponsesUnchanged(String response) throws Exception {
        String status = response.substring(0, response.indexOf('|'));
        String fields = response.substring(response.indexOf('|') + 1) + "ETag: \"v1\"\r\nContent-Digest: x=:AA==:\r\n";
        try (Filtered way = new Filtered(
                ScriptedOrigin.answering((request, c) -> c.send(response(status, fields, "GET"))), COMPRESS)) {
            RawMessage received = way.send("GET /", ALL);
            assertThat(received.body()).isEqualTo(TEXT);
            assertThat(received.value("etag")).hasValue("\"v1\"");
            assertThat(received.has("content-digest")).isTrue();
            assertThat(received.has("vary")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"image/png", "text/event-stream", "application/zip", "application/octet-stream", ""})
    void passesTypesThatAreNotListed(String type) throws Exception {
        String field = type.isEmpty() ? "" : "Content-Type: " + type + "\r\n";
        try (Filtered way = new Filtered(
                ScriptedOrigin.answering((request, c) ->
                        c.send("HTTP/1.1 200 OK\r\n" + field + "Content-Length: " + TEXT.length() + "\r\n\r\n" + TEXT)),
                COMPRESS)) {
            RawMessage response = way.send("GET /", ALL);
            assertThat(response.body()).isEqualTo(TEXT);
            assertThat(response.has("vary")).isFalse();
        }
    }

    @Test
    void passesResponsesBelowTheMinimumLength() throws Exception {
        FilterSet from = Filtered.global("compress", Map.of("min-length", new ByteSize(TEXT.length() + 1)));
        try (Filtered way = answering("", from)) {
            assertThat(way.send("GET /", ALL).body()).isEqualTo(TEXT);
        }
    }

    @Test
    void aRequestMayForbidCompression() throws Exception {
        try (Filtered way = answering("", COMPRESS)) {
            RawMessage response = way.send("GET /", ALL + "Cache-Control: no-transform\r\n");
            assertThat(response.body()).isEqualTo(TEXT);
            assertThat(response.value("vary")).hasValue("Accept-Encoding");
        }
    }

    // ---- without a body

    @Test
    void aResponseToHeadHasTheHeadersOfGet() throws Exception {
        try (Filtered way = answering("ETag: \"v1\"\r\n", COMPRESS)) {
            way.client().send("HEAD / HTTP/1.1\r\nHost: a\r\n" + ALL + "\r\n");
            RawMessage head = way.client().readResponseTo("HEAD");
            RawMessage get = way.send("GET /", ALL);
            for (String field : List.of("content-encoding", "vary", "etag", "content-length", "content-type")) {
                assertThat(head.value(field)).as(field).isEqualTo(get.value(field));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"'W/\"v1\"', 'W/\"v1\"'", "'\"v0\", W/\"v1\"', 'W/\"v1\"'", "'\"v1\"', '\"v1\"'"})
    void aNotModifiedResponseHasTheTagOfTheClient(String has, String told) throws Exception {
        try (Filtered way = new Filtered(
                ScriptedOrigin.answering(
                        (request, c) -> c.send("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nVary: Origin\r\n\r\n")),
                COMPRESS)) {
            RawMessage response = way.send("GET /", ALL + "If-None-Match: " + has + "\r\n");
            assertThat(way.received().value("if-none-match")).hasValue(has);
            assertThat(response.status()).isEqualTo(304);
            assertThat(response.value("etag")).hasValue(told);
            assertThat(response.value("vary")).hasValue("Origin, Accept-Encoding");
            assertThat(response.has("content-encoding")).isFalse();
        }
    }

    @Test
    void aResponseWithoutContentIsUnchanged() throws Exception {
        try (Filtered way = new Filtered(
                ScriptedOrigin.answering(
                        (request, c) -> c.send("HTTP/1.1 204 No Content\r\nContent-Type: text/plain\r\n\r\n")),
                COMPRESS)) {
            RawMessage response = way.send("GET /", ALL);
            assertThat(response.has("content-encoding")).isFalse();
            assertThat(response.has("vary")).isFalse();
        }
    }

    // ---- streams

    @ParameterizedTest
    @EnumSource
    void receivedDataReachesTheClientBeforeTheOriginSendsMore(ContentCoding coding) throws Exception {
        Gate gate = new Gate();
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
            c.readRequest();
            c.send(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nTrailer: x-sum\r\n"
                            + "\r\n9\r\ndata: 1\n\n\r\n");
            gate.await();
            c.send("9\r\ndata: 2\n\n\r\n0\r\nx-sum: 2\r\n\r\n");
            c.awaitEnd();
        });
        FilterSet events = Filtered.onRoute(
                "compress", Map.of("codings", List.of(coding.token()), "types", List.of("text/event-stream")));
        try (Filtered way = new Filtered(origin, events)) {
            way.client().send("GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\n" + ALL + "\r\n");
            assertThat(way.client().readHead().value("content-encoding")).hasValue(coding.token());
            Decoder decoder = coding.decoder();
            byte[] room = new byte[100];
            StringBuilder seen = new StringBuilder();
            while (!seen.toString().endsWith("1\n\n")) {
                decoder.feed(chunk(way));
                for (int n = decoder.decode(room); n > 0; n = decoder.decode(room)) {
                    seen.append(new String(room, 0, n, UTF_8));
                }
            }
            gate.open();
            StringBuilder all = new StringBuilder(seen);
            for (byte[] chunk = chunk(way); chunk.length > 0; chunk = chunk(way)) {
                decoder.feed(chunk);
                for (int n = decoder.decode(room); n > 0; n = decoder.decode(room)) {
                    all.append(new String(room, 0, n, UTF_8));
                }
            }
            decoder.end();
            decoder.close();
            assertThat(all).hasToString("data: 1\n\ndata: 2\n\n");
            assertThat(line(way)).isEqualToIgnoringCase("x-sum: 2");
        }
    }

    /** Returns the next chunk; empty if it is the last. */
    private static byte[] chunk(Filtered way) throws Exception {
        int length = Integer.parseInt(line(way), 16);
        byte[] chunk = way.client().readBytes(length);
        if (length > 0) {
            line(way);
        }
        return chunk;
    }

    private static String line(Filtered way) throws Exception {
        StringBuilder line = new StringBuilder();
        while (line.length() < 2 || !line.substring(line.length() - 2).equals("\r\n")) {
            line.append((char) way.client().readBytes(1)[0]);
        }
        return line.substring(0, line.length() - 2);
    }

    @ParameterizedTest
    @EnumSource
    void memoryIsReleasedAtEveryEndOfTheExchange(ContentCoding coding) throws Exception {
        long before = CodingCounters.ENCODED.plain(coding);
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> {
            c.readRequest();
            c.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            c.awaitEnd();
        });
        FilterSet only = Filtered.onRoute("compress", Map.of("codings", List.of(coding.token())));
        try (Filtered way = new Filtered(origin, only)) {
            way.client().send("GET / HTTP/1.1\r\nHost: a\r\n" + ALL + "\r\n");
            way.client().readHead();
            chunk(way);
            way.client().reset();
            // The counter changes at the release of the coder.
            Eventually.eventually(
                    () -> assertThat(CodingCounters.ENCODED.plain(coding)).isEqualTo(before + 5));
        }
    }

    // ---- with other filters

    @Test
    void aLaterFilterMayRemoveAcceptEncoding() throws Exception {
        FilterSet filters = FilterSet.EMPTY;
        for (String kind : List.of("compress", "remove-request-header")) {
            Map<String, Object> settings = kind.equals("compress") ? Map.of() : Map.of("name", "accept-encoding");
            for (Filter filter : Filtered.made(kind, settings)) {
                filters = filters.with(List.of(filter));
            }
        }
        try (Filtered way = answering("", filters)) {
            RawMessage response = way.send("GET /", ALL);
            assertThat(way.received().has("accept-encoding")).isFalse();
            assertThat(response.value("content-encoding")).hasValue("zstd");
        }
    }

    @Test
    void aBodyOfAnotherFilterIsCompressedWithItsLength() throws Exception {
        FilterSet filters = FilterSet.of(new Shout()).with(Filtered.made("compress", Map.of("order", 1)));
        try (Filtered way = answering("", filters)) {
            RawMessage response = way.send("GET /", ALL);
            assertThat(decoded("zstd", response.bodyBytes())).isEqualTo(TEXT.toUpperCase(java.util.Locale.ROOT));
            assertThat(response.value("content-length")).hasValue("" + response.bodyBytes().length);
        }
    }

    /** Buffers the whole body and changes it. */
    private static final class Shout implements OutboundFilter, SyncFilter {
        @Override
        public BodyNeed body() {
            return BodyNeed.whole(100_000);
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            exchange.getResponse().setText(exchange.getResponse().getText().toUpperCase(java.util.Locale.ROOT));
            return exchange.proceed();
        }
    }

    // ---- settings

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "codings | lzma | codings: lzma (expected: each of zstd, br, gzip and deflate at most once)",
                "types   | json | types: json (expected: media types such as",
                "gzip-level | 10   | gzip-level: 10 (expected: 1 to 9)",
                "br-level   | 12   | br-level: 12 (expected: 0 to 11)",
                "zstd-level | 0    | zstd-level: 0 (expected: 1 to 19)",
                "window  | 100KiB  | window: 100KiB (expected: a power of two from 16KiB to 8MiB)",
            })
    void refusesInvalidSettings(String key, String value, String message) {
        Object given = switch (key) {
            case "window" -> ByteSize.parse(value);
            case "gzip-level", "br-level", "zstd-level" -> Integer.parseInt(value);
            default -> List.of(value);
        };
        assertThatThrownBy(() -> Filtered.made("compress", Map.of(key, given)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(message);
    }
}
