package dev.lychgate.filters.builtin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.config.ByteSize;
import dev.lychgate.config.ConfigException;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.Side;
import dev.lychgate.filter.BodyNeed;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import dev.lychgate.filters.coding.CodingCounters;
import dev.lychgate.filters.coding.CodingCounters.Refusal;
import dev.lychgate.filters.coding.ContentCoding;
import dev.lychgate.filters.coding.Encoder;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedConnection;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Request bodies that {@code decompress} decodes, and bodies that it rejects at a limit. */
@Tag("slow")
class DecompressTest {
    private static final FilterSet DECOMPRESS = Filtered.onRoute("decompress", Map.of());
    private static final byte[] TEXT = "{\"n\": 1}\n".repeat(2000).getBytes(US_ASCII);
    private static final long GIB = 1L << 30;
    /** Created once, because it takes seconds. */
    private static final Map<ContentCoding, byte[]> BOMBS = new ConcurrentHashMap<>();

    private static byte[] encoded(ContentCoding coding, byte[] plain) {
        return encoded(coding, plain, plain.length);
    }

    /** @param length of the whole body, which repeats {@code plain} */
    private static byte[] encoded(ContentCoding coding, byte[] plain, long length) {
        Encoder encoder = coding.encoder(coding == ContentCoding.BR ? 1 : 2, 18);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (long left = length; left > 0; left -= plain.length) {
            all.writeBytes(encoder.encode(plain));
        }
        all.writeBytes(encoder.finish());
        encoder.close();
        return all.toByteArray();
    }

    /** A gibibyte of zeros, in a few bytes. */
    private static byte[] bomb(ContentCoding coding) {
        return BOMBS.computeIfAbsent(coding, c -> encoded(c, new byte[1 << 20], GIB))
                .clone();
    }

    private static RawMessage post(Filtered way, String coding, byte[] body) throws Exception {
        return post(way, coding, body.length, body);
    }

    /** @param part the beginning of a body of {@code length} bytes */
    private static RawMessage post(Filtered way, String coding, int length, byte[] part) throws Exception {
        way.client()
                .send("POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Encoding: " + coding
                        + "\r\nContent-Length: " + length + "\r\nContent-Digest: x=:AA==:\r\n\r\n");
        way.client().send(part);
        return way.client().readResponse();
    }

    private static Filtered to(FilterSet filters) throws Exception {
        return new Filtered(ScriptedOrigin.answering((request, c) -> c.send(Responses.ok("got it"))), filters);
    }

    // ---- decoded bodies

    @ParameterizedTest
    @EnumSource
    void theOriginReceivesTheDecodedBody(ContentCoding coding) throws Exception {
        try (Filtered way = to(DECOMPRESS)) {
            assertThat(post(way, coding.token(), encoded(coding, TEXT)).status())
                    .isEqualTo(200);
            RawMessage received = way.received();
            assertThat(received.bodyBytes()).isEqualTo(TEXT);
            assertThat(received.has("content-encoding")).isFalse();
            assertThat(received.has("content-length")).isFalse();
            assertThat(received.has("content-digest")).isFalse();
            assertThat(received.value("transfer-encoding")).hasValue("chunked");
            assertThat(post(way, coding.token(), encoded(coding, TEXT)).status())
                    .as("on the same connection")
                    .isEqualTo(200);
        }
    }

    @Test
    void severalCodingsAreDecodedFromTheLastToTheFirst() throws Exception {
        byte[] twice = encoded(ContentCoding.BR, encoded(ContentCoding.GZIP, TEXT));
        try (Filtered way = to(DECOMPRESS)) {
            assertThat(post(way, "X-GZIP, identity, br", twice).status()).isEqualTo(200);
            assertThat(way.received().bodyBytes()).isEqualTo(TEXT);
        }
    }

    @Test
    void uncodedBodiesPassUnchanged() throws Exception {
        try (Filtered way = to(DECOMPRESS)) {
            assertThat(post(way, "identity", TEXT).status()).isEqualTo(200);
            assertThat(way.received().bodyBytes()).isEqualTo(TEXT);
            assertThat(way.received().has("content-digest")).isTrue();
        }
    }

    @Test
    void anEmptyBodyIsEmptyInEveryCoding() throws Exception {
        try (Filtered way = to(DECOMPRESS)) {
            assertThat(post(way, "gzip", new byte[0]).status()).isEqualTo(200);
            way.client()
                    .send(
                            "POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
            assertThat(way.client().readResponse().status()).isEqualTo(200);
            assertThat(way.received().body()).isEmpty();
        }
    }

    @Test
    void aBodyThatBecomesMuchLongerArrivesCompletely() throws Exception {
        byte[] zeros = new byte[16 << 20];
        FilterSet free = Filtered.onRoute("decompress", Map.of("max-ratio", 100_000));
        try (Filtered way = to(free)) {
            assertThat(post(way, "zstd", encoded(ContentCoding.ZSTD, zeros)).status())
                    .isEqualTo(200);
            assertThat(way.received().body().length()).isEqualTo(zeros.length);
        }
    }

    @Test
    void laterFiltersReceiveTheDecodedBody() throws Exception {
        FilterSet filters = DECOMPRESS.with(new Reads(), java.util.Set.of("all"), 2);
        try (Filtered way = to(filters)) {
            RawMessage response = post(way, "gzip", encoded(ContentCoding.GZIP, TEXT));
            assertThat(response.bodyBytes()).isEqualTo(TEXT);
        }
    }

    /** Responds with the body that it read. */
    private static final class Reads implements InboundFilter, SyncFilter {
        @Override
        public BodyNeed body() {
            return BodyNeed.whole(100_000);
        }

        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.respond(200, exchange.getRequest().getText());
        }
    }

    // ---- bombs

    @ParameterizedTest
    @EnumSource
    void aBombIsRejectedBeforeItIsDecoded(ContentCoding coding) throws Exception {
        byte[] bomb = bomb(coding);
        assertThat(bomb.length).isLessThan(8 << 20);
        AtomicLong reached = new AtomicLong();
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(c -> count(c, reached));
        FilterSet fourMiB =
                Filtered.onRoute("decompress", Map.of("max-bytes", ByteSize.ofMiB(4), "max-ratio", 10_000_000));
        long before = CodingCounters.DECODED.refusals(Refusal.BYTES);
        long decoded = CodingCounters.DECODED.plain(coding);
        try (Filtered way = new Filtered(origin, fourMiB)) {
            // A sixteenth of the bomb, 64 MiB when decoded. The rest is not sent: the gateway closes the connection
            // soon.
            byte[] part = Arrays.copyOf(bomb, Math.max(1 << 10, bomb.length / 16));
            RawMessage response = post(way, coding.token(), bomb.length, part);
            assertThat(response.status()).isEqualTo(413);
            assertThat(response.body()).contains("body-too-large").contains("decodes to more than 4MiB");
            assertThat(CodingCounters.DECODED.refusals(Refusal.BYTES)).isEqualTo(before + 1);
            Eventually.eventually(() -> assertThat(CodingCounters.DECODED.plain(coding) - decoded)
                    .as("decoded bytes")
                    .isBetween(4L << 20, (4L << 20) + (128 << 10)));
        }
        assertThat(reached.get()).isLessThan(5 << 20);
    }

    private static void count(ScriptedConnection c, AtomicLong reached) {
        try {
            while (true) {
                c.readBytes(1024);
                reached.addAndGet(1024);
            }
        } catch (Exception | AssertionError e) {
            // The gateway closed the connection, as expected.
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBombIsRejectedByItsRatio(ContentCoding coding) throws Exception {
        // By default, a decoded body of more than a MiB is at most 200 times as long as the encoded one.
        byte[] bomb = bomb(coding);
        byte[] part = Arrays.copyOf(bomb, Math.min(bomb.length, 20_000));
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(ScriptedConnection::awaitEnd);
        try (Filtered way = new Filtered(origin, DECOMPRESS)) {
            RawMessage response = post(way, coding.token(), part);
            assertThat(response.status()).isEqualTo(413);
            assertThat(response.body()).contains("decodes to more than 200 times its size");
        }
    }

    @Test
    void aNestedBombIsRejected() throws Exception {
        byte[] nested = encoded(ContentCoding.GZIP, bomb(ContentCoding.GZIP));
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(ScriptedConnection::awaitEnd);
        try (Filtered way = new Filtered(origin, DECOMPRESS)) {
            RawMessage response = post(way, "gzip, gzip", nested);
            assertThat(response.status()).isEqualTo(413);
        }
    }

    @ParameterizedTest
    @EnumSource
    void atMostTwoPartsAreDecodedAheadOfTheReader(ContentCoding coding) {
        DecodedBody body = new DecodedBody(List.of(coding), ByteSize.ofMiB(2000), 10_000_000, Side.DOWNSTREAM);
        byte[] first = body.piece(bomb(coding));
        assertThat(first.length).isPositive().isLessThanOrEqualTo(64 << 10);
        long all = first.length;
        for (int i = 0; i < 100 && body.hasMore(); i++) {
            byte[] part = body.more();
            assertThat(part.length).isLessThanOrEqualTo(64 << 10);
            all += part.length;
        }
        long before = CodingCounters.DECODED.plain(coding);
        body.close();
        assertThat(CodingCounters.DECODED.plain(coding) - before).isLessThanOrEqualTo(all + (64 << 10));
    }

    @Test
    void aBombIsRejectedByTheLimitOfAFilterThatBuffersTheBody() throws Exception {
        FilterSet filters = Filtered.onRoute("decompress", Map.of("max-ratio", 10_000_000))
                .with(new Reads(), java.util.Set.of("all"), 2);
        long decoded = CodingCounters.DECODED.plain(ContentCoding.BR);
        try (Filtered way = to(filters)) {
            RawMessage response = post(way, "br", Arrays.copyOf(bomb(ContentCoding.BR), 2000));
            assertThat(response.status()).isEqualTo(413);
            assertThat(response.body()).contains("longer than 100000 bytes");
            assertThat(way.origin.requests()).isEmpty();
            Eventually.eventually(() -> assertThat(CodingCounters.DECODED.plain(ContentCoding.BR) - decoded)
                    .isBetween(100_000L, 300_000L));
        }
    }

    // ---- malformed bodies

    @ParameterizedTest
    @EnumSource
    void corruptBodiesAreRejected(ContentCoding coding) throws Exception {
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(ScriptedConnection::awaitEnd);
        try (Filtered way = new Filtered(origin, DECOMPRESS)) {
            RawMessage response = post(way, coding.token(), TEXT);
            assertThat(response.status()).isEqualTo(400);
            assertThat(response.body()).contains("malformed-request").contains("does not match its Content-Encoding");
        }
    }

    @ParameterizedTest
    @EnumSource
    void truncatedBodiesAreRejected(ContentCoding coding) throws Exception {
        byte[] coded = encoded(coding, TEXT);
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(ScriptedConnection::awaitEnd);
        try (Filtered way = new Filtered(origin, DECOMPRESS)) {
            RawMessage response = post(way, coding.token(), Arrays.copyOf(coded, coded.length - 1));
            assertThat(response.status()).isEqualTo(400);
            assertThat(way.origin.requests()).as("whole requests").isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void trailingBytesAreRejected(ContentCoding coding) throws Exception {
        byte[] coded = encoded(coding, TEXT);
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(ScriptedConnection::awaitEnd);
        try (Filtered way = new Filtered(origin, DECOMPRESS)) {
            assertThat(post(way, coding.token(), Arrays.copyOf(coded, coded.length + 100))
                            .status())
                    .isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"compress", "gzip, snappy", "gzip, gzip, gzip", "aes128gcm"})
    void unsupportedCodingsAreRejectedWithTheSupportedOnes(String codings) throws Exception {
        try (Filtered way = to(DECOMPRESS)) {
            RawMessage response = post(way, codings, TEXT);
            assertThat(response.status()).isEqualTo(415);
            assertThat(response.value("accept-encoding")).hasValue("gzip, deflate, br, zstd");
            assertThat(response.value("content-type")).hasValue("application/problem+json");
            assertThat(response.body()).contains("unsupported-coding").contains("gzip, deflate, br, zstd");
            assertThat(way.origin.requests()).isEmpty();
        }
    }

    // ---- responses

    @Test
    void responsesAreDecodedToo() throws Exception {
        byte[] coded = encoded(ContentCoding.BR, TEXT);
        try (Filtered way = new Filtered(
                ScriptedOrigin.answering(
                        (request, c) -> c.send("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nETag: \"v1\"\r\n"
                                        + "Content-Length: " + coded.length + "\r\n\r\n")
                                .send(coded)),
                Filtered.onRoute("decompress", Map.of("responses", true)))) {
            RawMessage response = way.get("/");
            assertThat(response.bodyBytes()).isEqualTo(TEXT);
            assertThat(response.has("content-encoding")).isFalse();
            assertThat(response.value("etag")).hasValue("W/\"v1\"");
        }
    }

    /** The whole body arrived before the client read most of it. */
    @ParameterizedTest
    @EnumSource
    void aLongResponseReachesASlowClient(ContentCoding coding) throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < 4 << 20; i++) {
            text.append("line ").append(i * 7919L % 100_003).append(" of a long text\n");
        }
        byte[] plain = text.toString().getBytes(US_ASCII);
        byte[] coded = encoded(coding, plain);
        try (Filtered way = new Filtered(
                ScriptedOrigin.answering((request, c) -> c.send("HTTP/1.1 200 OK\r\nContent-Encoding: " + coding.token()
                                + "\r\nContent-Length: " + coded.length + "\r\n\r\n")
                        .send(coded)),
                Filtered.onRoute("decompress", Map.of("responses", true)))) {
            assertThat(way.get("/").bodyBytes()).isEqualTo(plain);
        }
    }

    @Test
    void responsesInUnsupportedCodingsPass() throws Exception {
        try (Filtered way = Filtered.answering(
                "Content-Encoding: snappy\r\n", Filtered.onRoute("decompress", Map.of("responses", true)))) {
            assertThat(way.get("/").value("content-encoding")).hasValue("snappy");
        }
    }

    @Test
    void aMalformedResponseIsAborted() throws Exception {
        try (Filtered way = new Filtered(
                ScriptedOrigin.answering((request, c) ->
                        c.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello")),
                Filtered.onRoute("decompress", Map.of("responses", true)))) {
            way.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(way.client().readHead().status()).isEqualTo(200);
            way.client().expectClosed();
        }
    }

    @Test
    void aResponseBombIsAbortedAndNotReadAheadOfTheClient() throws Exception {
        byte[] bomb = bomb(ContentCoding.ZSTD);
        FilterSet filters = Filtered.onRoute(
                "decompress", Map.of("responses", true, "max-ratio", 10_000_000, "max-bytes", ByteSize.ofMiB(900)));
        long decoded = CodingCounters.DECODED.plain(ContentCoding.ZSTD);
        // A MiB needs only the first bytes of the bomb, so the client may leave before the origin has sent the rest.
        try (Filtered way = new Filtered(
                ScriptedOrigin.answeringWhoStays((request, c) -> c.send("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n"
                                + "Content-Length: " + bomb.length + "\r\n\r\n")
                        .send(bomb)),
                filters)) {
            way.client().send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(way.client().readHead().status()).isEqualTo(200);
            assertThat(way.client().readBytes(1 << 20)).hasSize(1 << 20);
            way.client().reset();
            Eventually.eventually(() -> assertThat(CodingCounters.DECODED.plain(ContentCoding.ZSTD) - decoded)
                    .as("the decoded bytes for a client that has read a MiB")
                    .isBetween(1L << 20, 32L << 20));
        }
    }

    // ---- the end

    @ParameterizedTest
    @EnumSource
    void aClientThatDisconnectsMidBodyLeaksNothing(ContentCoding coding) throws Exception {
        byte[] coded = encoded(coding, TEXT);
        long before = CodingCounters.DECODED.bodies(coding);
        ScriptedOrigin origin = ScriptedOrigin.start().onConnection(ScriptedConnection::awaitEnd);
        try (Filtered way = new Filtered(origin, DECOMPRESS)) {
            way.client()
                    .send("POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: " + coding.token() + "\r\nContent-Length: "
                            + coded.length + "\r\n\r\n");
            way.client().send(Arrays.copyOf(coded, 20));
            origin.awaitConnections(1);
            way.client().reset();
            // The counter changes at the release of the coder.
            Eventually.eventually(
                    () -> assertThat(CodingCounters.DECODED.bodies(coding)).isEqualTo(before + 1));
        }
    }

    @Test
    void anExcessiveRatioIsAFaultOfTheSender() {
        DecodedBody body = new DecodedBody(List.of(ContentCoding.BR), ByteSize.ofMiB(64), 200, Side.DOWNSTREAM);
        assertThatThrownBy(() -> {
                    body.piece(bomb(ContentCoding.BR));
                    while (body.hasMore()) {
                        body.more();
                    }
                })
                .isInstanceOfSatisfying(
                        BodyRefusal.class,
                        refusal -> assertThat(refusal.error().kind()).isEqualTo(ErrorKind.BODY_TOO_LARGE));
        body.close();
    }

    @ParameterizedTest
    @CsvSource({
        "max-codings, 0, max-codings: 0 (expected: 1 to 5)",
        "max-ratio, 0, max-ratio: 0 (expected: >= 1)",
    })
    void refusesInvalidSettings(String key, int value, String message) {
        assertThatThrownBy(() -> Filtered.made("decompress", Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }
}
