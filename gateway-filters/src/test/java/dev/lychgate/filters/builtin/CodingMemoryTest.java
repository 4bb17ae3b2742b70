package dev.lychgate.filters.builtin;

import static dev.lychgate.testing.Eventually.eventually;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.filters.coding.CodingCounters;
import dev.lychgate.filters.coding.ContentCoding;
import dev.lychgate.filters.coding.Encoder;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.testing.RawClient;
import dev.lychgate.testing.RawMessage;
import dev.lychgate.testing.Responses;
import dev.lychgate.testing.ScriptedOrigin;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The native memory of encoders and decoders counts against the memory budget of the process. */
@Tag("slow")
@Tag("each-jdk")
class CodingMemoryTest {
    private static final MemoryBudget BUDGET = MemoryBudget.OF_PROCESS;
    private static final FilterSet DECOMPRESS = Filtered.onRoute("decompress", Map.of("max-ratio", 1_000_000));
    private static final byte[] LINE =
            "{\"number\": 1, \"name\": \"a\"}\n".repeat(4096).getBytes(US_ASCII);
    /** Four windows of a MiB each. */
    private static final int LONG = 4 << 20;

    private long taken;

    /** Leaves this much of {@code share} of the budget. */
    private void leave(long bytes, double share) {
        taken = (long) (BUDGET.most() * share) - BUDGET.held() - bytes;
        assertThat(BUDGET.take(taken)).isTrue();
    }

    @AfterEach
    void giveBack() {
        BUDGET.giveBack(taken);
    }

    private static byte[] encoded(ContentCoding coding, int length) {
        Encoder encoder = coding.encoder(coding == ContentCoding.BR ? 1 : 2, 22);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int left = length; left > 0; left -= LINE.length) {
            all.writeBytes(encoder.encode(Arrays.copyOf(LINE, Math.min(left, LINE.length))));
        }
        all.writeBytes(encoder.finish());
        encoder.close();
        return all.toByteArray();
    }

    private static Filtered decoding() throws Exception {
        return new Filtered(
                ScriptedOrigin.answeringWhoStays((request, c) -> c.send(Responses.ok("" + request.bodyBytes().length))),
                DECOMPRESS);
    }

    private static String head(String coding, int length) {
        return "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Encoding: " + coding + "\r\nContent-Length: " + length
                + "\r\n\r\n";
    }

    private static RawMessage post(RawClient client, ContentCoding coding, byte[] body) throws Exception {
        return client.send(head(coding.token(), body.length)).send(body).readResponse();
    }

    @ParameterizedTest
    @EnumSource(
            value = ContentCoding.class,
            names = {"BR", "ZSTD"})
    void rejectsABodyWhoseWindowExceedsTheMemoryBudget(ContentCoding coding) throws Exception {
        long before = BUDGET.held();
        leave(512 << 10, 0.75);
        try (Filtered way = decoding()) {
            RawMessage refused = post(way.client(), coding, encoded(coding, LONG));
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("overloaded");
            try (RawClient next = way.connect()) {
                assertThat(post(next, coding, encoded(coding, 64 << 10)).body()).isEqualTo("" + (64 << 10));
                assertThat(post(next, ContentCoding.GZIP, encoded(ContentCoding.GZIP, LONG))
                                .body())
                        .isEqualTo("" + LONG);
            }
        }
        eventually(() -> assertThat(BUDGET.held() - taken).isEqualTo(before));
    }

    @Test
    void reclaimsTheDecoderOfAStalledBody() throws Exception {
        byte[] body = encoded(ContentCoding.BR, LONG);
        long reclaimed = BUDGET.reclaimed();
        leave((LONG + (LONG >> 1)) / 4, 0.75);
        try (Filtered way = decoding()) {
            RawClient stalled = way.client();
            stalled.send(head("br", body.length)).send(Arrays.copyOf(body, body.length - 8));
            eventually(() -> assertThat(BUDGET.left()).isLessThan(BUDGET.most() / 4 + LONG / 4));
            eventually(() -> {
                try (RawClient next = way.connect()) {
                    RawMessage decoded = post(next, ContentCoding.BR, body);
                    assertThat(decoded.status()).as(decoded.body()).isEqualTo(200);
                }
            });
            assertThat(stalled.readResponse().status()).isEqualTo(503);
            assertThat(BUDGET.reclaimed()).isGreaterThan(reclaimed);
        }
    }

    @ParameterizedTest
    @CsvSource({"br, 0.4", "zstd, 0.4", "gzip, 0.07"})
    void leavesResponsesUncompressedIfEncodersHoldHalfOfTheBudget(String coding, double enough) throws Exception {
        long before = BUDGET.held();
        long skipped = CodingCounters.ENCODED.skipped();
        String text = "All work and no play makes Jack a dull boy. ".repeat(100);
        String response =
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + text.length() + "\r\n\r\n" + text;
        String accept = "Accept-Encoding: " + coding + "\r\n";
        try (Filtered way = new Filtered(
                ScriptedOrigin.answering((request, c) -> c.send(response)), Filtered.onRoute("compress", Map.of()))) {
            leave(1024, 0.5);
            RawMessage plain = way.send("GET /", accept);
            assertThat(plain.body()).isEqualTo(text);
            assertThat(plain.value("vary")).hasValue("Accept-Encoding");
            assertThat(CodingCounters.ENCODED.skipped()).isEqualTo(skipped + 1);
            giveBack();
            leave((long) (enough * (1 << 20)) + 64 * 1024, 0.5);
            assertThat(way.send("GET /", accept).value("content-encoding")).hasValue(coding);
        }
        eventually(() -> assertThat(BUDGET.held() - taken).isEqualTo(before));
    }
}
