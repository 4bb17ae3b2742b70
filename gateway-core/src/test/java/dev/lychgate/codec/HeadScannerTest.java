package dev.lychgate.codec;

import static dev.lychgate.codec.HeadScanner.Verdict.INCOMPLETE;
import static dev.lychgate.codec.HeadScanner.Verdict.REFUSED;
import static dev.lychgate.codec.HeadScanner.Verdict.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.codec.HeadScanner.Verdict;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.RfcRows;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The accepted heads, byte by byte (RFC 9112, 2.2 to 5.2). In the texts {@code ~} stands for CR LF. Every head is read in one
 * piece, and then one byte at a time: both results must be equal.
 */
@Tag("slow")
class HeadScannerTest {
    private static final DecoderLimits LIMITS = new DecoderLimits(256, 1024, 8);

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text.replace("~", "\r\n"), StandardCharsets.ISO_8859_1);
    }

    private static Verdict verdict(HeadScanner scanner, String text) {
        return scanner.scan(bytes(text));
    }

    private static Verdict inSingleBytes(HeadScanner scanner, String text) {
        ByteBuf all = bytes(text);
        for (int n = 1; n <= all.readableBytes(); n++) {
            Verdict verdict = scanner.scan(all.slice(0, n));
            if (verdict != INCOMPLETE) {
                return verdict;
            }
        }
        return INCOMPLETE;
    }

    private static void assertBothReadings(boolean request, String text, Verdict expected) {
        for (boolean single : new boolean[] {false, true}) {
            HeadScanner scanner = request ? HeadScanner.ofRequests(LIMITS) : HeadScanner.ofResponses(LIMITS);
            Verdict verdict = single ? inSingleBytes(scanner, text) : verdict(scanner, text);
            assertThat(verdict)
                    .as("%s, %s: %s", text, single ? "byte by byte" : "whole", scanner.detail())
                    .isEqualTo(expected);
        }
    }

    static RfcRows acceptsValidRequestHeads() {
        return RfcRows.under("9112, 3", "GET / HTTP/1.1~Host: a~~", "get /x?y=%20&z=|{}\"<>^` HTTP/1.0~~")
                .and("9112, 2.1", "GET / HTTP/1.1~~")
                .and("9112, 3.1", "M-SEARCH * HTTP/1.1~Host: a~~", "!#$%&'*+-.^_`|9 / HTTP/1.1~~")
                .and("9112, 2.3", "OPTIONS http://a:1/ HTTP/9.9~~")
                .and("9112, 5.1", "GET / HTTP/1.1~Empty:~Blank:   ~Tab:\t\tx\t ~~")
                .and("9110, 5.5", "GET / HTTP/1.1~Text: \u0080\u00ff caf\u00e9~~")
                .and("9112, 2.2", "~GET / HTTP/1.1~~", "~~~~GET / HTTP/1.1~~");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void acceptsValidRequestHeads(String section, String text) {
        assertBothReadings(true, text, WHOLE);
    }

    static RfcRows refusesMalformedRequestHeads() {
        return RfcRows.under(
                        "9112, 3",
                        " GET / HTTP/1.1~~",
                        "\tGET / HTTP/1.1~~",
                        "GET  / HTTP/1.1~~",
                        "GET /  HTTP/1.1~~",
                        "GET / HTTP/1.1 ~~",
                        "GET\t/ HTTP/1.1~~",
                        "GET /\tHTTP/1.1~~",
                        "GET /~~",
                        "GET~~",
                        "GET / ~~")
                .and(
                        "9112, 2.3",
                        "GET / http/1.1~~",
                        "GET / HTTP/1~~",
                        "GET / HTTP/1.~~",
                        "GET / HTTP/11~~",
                        "GET / HTTP/1.10~~",
                        "GET / HTTP/01.1~~",
                        "GET / HTTP/1,1~~",
                        "GET / XTTP/1.1~~")
                .and("9112, 3.1", "G@T / HTTP/1.1~~", "G\u00c9T / HTTP/1.1~~", "\u0001GET / HTTP/1.1~~")
                .and("9112, 3.2", "GET /\u00e9 HTTP/1.1~~", "GET /\u0000 HTTP/1.1~~", "GET /\u007f HTTP/1.1~~")
                .and(
                        "9112, 2.2",
                        "\nGET / HTTP/1.1~~",
                        "\r\rGET / HTTP/1.1~~",
                        "~~~~~GET / HTTP/1.1~~",
                        "GET / HTTP/1.1\nHost: a~~",
                        "GET / HTTP/1.1\rHost: a~~",
                        "GET / HTTP/1.1\r\r\nHost: a~~",
                        "GET / HTTP/1.1~ Host: a~~",
                        "GET / HTTP/1.1~\tHost: a~~",
                        "GET / HTTP/1.1~Host: a\nX: b~~",
                        "GET / HTTP/1.1~Host: a\rX: b~~",
                        "GET / HTTP/1.1~Host: a\r\r\n~~",
                        "GET / HTTP/1.1~Host: a~\n",
                        "GET / HTTP/1.1~Host: a~\rX")
                .and("9112, 5.1", "GET / HTTP/1.1~Host : a~~", "GET / HTTP/1.1~Host\t: a~~")
                .and(
                        "9112, 5.2",
                        "GET / HTTP/1.1~Host: a~ b~~",
                        "GET / HTTP/1.1~Host: a~\tb: c~~",
                        "GET / HTTP/1.1~Host: a~ ~~")
                .and("9112, 5", "GET / HTTP/1.1~Host~~")
                .and(
                        "9110, 5.1",
                        "GET / HTTP/1.1~: a~~",
                        "GET / HTTP/1.1~Ho st: a~~",
                        "GET / HTTP/1.1~Ho(st: a~~",
                        "GET / HTTP/1.1~H\u00f6st: a~~",
                        "GET / HTTP/1.1~\u0000Host: a~~",
                        "GET / HTTP/1.1~Host\u000b: a~~")
                .and(
                        "9110, 5.5",
                        "GET / HTTP/1.1~Host: a\u0000b~~",
                        "GET / HTTP/1.1~Host: a\u001bb~~",
                        "GET / HTTP/1.1~Host: a\u007fb~~",
                        "GET / HTTP/1.1~Host: a\u000bb~~",
                        "GET / HTTP/1.1~Host: a\u000cb~~");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void refusesMalformedRequestHeads(String section, String text) {
        assertBothReadings(true, text, REFUSED);
        HeadScanner scanner = HeadScanner.ofRequests(LIMITS);
        scanner.scan(bytes(text));
        assertThat(scanner.kind()).isEqualTo(ErrorKind.MALFORMED_REQUEST);
        assertThat(scanner.detail()).isNotEmpty();
    }

    static RfcRows acceptsValidResponseHeads() {
        return RfcRows.under(
                        "9112, 4",
                        "HTTP/1.1 200 OK~~",
                        "HTTP/1.0 404 ~A: b~~",
                        "HTTP/1.1 204~~",
                        "HTTP/1.1 200 \tn\u00f6t \"quite\" OK ~X:~~",
                        "HTTP/1.1 999 strange~~")
                .and("9112, 2.3", "HTTP/2.0 200 OK~~");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void acceptsValidResponseHeads(String section, String text) {
        assertBothReadings(false, text, WHOLE);
    }

    static RfcRows refusesMalformedResponseHeads() {
        return RfcRows.under(
                        "9112, 4",
                        "~HTTP/1.1 200 OK~~",
                        " HTTP/1.1 200 OK~~",
                        "HTTP/1.1  200 OK~~",
                        "HTTP/1.1 20 OK~~",
                        "HTTP/1.1 2000 OK~~",
                        "HTTP/1.1 2x0 OK~~",
                        "HTTP/1.1 +20 OK~~",
                        "HTTP/1.1~~",
                        "HTTP/1.1200 OK~~",
                        "HTTP/1.1\t200 OK~~",
                        "ICY 200 OK~~",
                        "<html>",
                        "HTTP/1.1 200 O\u0000K~~",
                        "HTTP/1.1 200 O\u001bK~~")
                .and("9112, 2.3", "http/1.1 200 OK~~")
                .and("9112, 2.2", "HTTP/1.1 200 OK\nA: b~~", "HTTP/1.1 200 OK\rA: b~~", "HTTP/1.1 200 OK~A: b\nC: d~~")
                // A proxy replaces the message by a 502, or each fold by spaces.
                .and("9112, 5.2", "HTTP/1.1 200 OK~A: b~ c~~")
                .and("9112, 5.1", "HTTP/1.1 200 OK~A : b~~")
                .and("9110, 5.5", "HTTP/1.1 200 OK~A: b\u0000c~~")
                .and("9110, 5.1", "HTTP/1.1 200 OK~: b~~")
                .and("9112, 5", "HTTP/1.1 200 OK~no colon~~");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void refusesMalformedResponseHeads(String section, String text) {
        assertBothReadings(false, text, REFUSED);
    }

    static Stream<String> refusesEveryByteOutsideText() {
        return IntStream.rangeClosed(0, 255)
                .filter(b -> (b < ' ' && b != '\t') || b == 0x7f)
                .mapToObj(b -> "GET / HTTP/1.1\r\nA: x" + (char) b + "y\r\n\r\n");
    }

    @ParameterizedTest
    @MethodSource
    @Rfc("9110, 5.5")
    void refusesEveryByteOutsideText(String text) {
        assertBothReadings(true, text, REFUSED);
    }

    @Test
    @Rfc("9112, 2.2")
    void anUnfinishedHeadIsWaitedFor() {
        String head = "GET / HTTP/1.1~Host: a~~";
        int length = head.replace("~", "\r\n").length();
        HeadScanner scanner = HeadScanner.ofRequests(LIMITS);
        for (int n = 0; n < length; n++) {
            assertThat(scanner.scan(bytes(head).slice(0, n))).isEqualTo(INCOMPLETE);
        }
        assertThat(scanner.scan(bytes(head))).isEqualTo(WHOLE);
    }

    @Test
    @Rfc("9112, 2.1")
    void doesNotReadBytesAfterTheHead() {
        assertThat(verdict(HeadScanner.ofRequests(LIMITS), "GET / HTTP/1.1~~\u0000\nnothing like HTTP"))
                .isEqualTo(WHOLE);
    }

    @Test
    void theNextHeadBeginsAfterAReset() {
        HeadScanner scanner = HeadScanner.ofRequests(LIMITS);
        assertThat(verdict(scanner, "~GET / HTTP/1.1~A: 1~B: 2~~")).isEqualTo(WHOLE);
        assertThat(scanner.leadingBytes()).isEqualTo(2);
        scanner.reset();
        assertThat(verdict(scanner, "GET / HTTP/1.1~" + "A: 1~".repeat(8) + "~"))
                .isEqualTo(WHOLE);
        assertThat(scanner.leadingBytes()).isZero();
    }

    private static HeadScanner refused(String text) {
        for (boolean single : new boolean[] {true, false}) {
            HeadScanner scanner = HeadScanner.ofRequests(LIMITS);
            Verdict verdict = single ? inSingleBytes(scanner, text) : verdict(scanner, text);
            assertThat(verdict).as(text).isEqualTo(REFUSED);
            if (!single) {
                return scanner;
            }
        }
        throw new AssertionError("not reached");
    }

    @Test
    @Rfc({"9112, 3", "9110, 15.5.15"})
    void aStartLineMayBeAsLongAsItsLimitButNoLonger() {
        String line = "GET /" + "a".repeat(256 - 14);
        assertThat((line + " HTTP/1.1").length()).isEqualTo(256);
        assertBothReadings(true, "~" + line + " HTTP/1.1~~", WHOLE);
        assertThat(refused(line + "a HTTP/1.1~~").kind()).isEqualTo(ErrorKind.URI_TOO_LONG);
        assertThat(refused(line + "a".repeat(300)).kind()).isEqualTo(ErrorKind.URI_TOO_LONG);
    }

    @Test
    @Rfc({"9110, 5.4", "6585, 5"})
    void aHeaderSectionMayBeAsLargeAsItsLimitButNoLarger() {
        // Counted with the line ends and the empty line: the size of the section on the wire.
        String field = "A: " + "x".repeat(1024 - 7);
        assertBothReadings(true, "GET / HTTP/1.1~" + field + "~~", WHOLE);
        assertThat(refused("GET / HTTP/1.1~" + field + "x~~").kind()).isEqualTo(ErrorKind.HEADERS_TOO_LARGE);
        assertThat(refused("GET / HTTP/1.1~A: " + "x".repeat(2000)).kind()).isEqualTo(ErrorKind.HEADERS_TOO_LARGE);
        assertThat(refused("GET / HTTP/1.1~" + "a".repeat(2000)).kind()).isEqualTo(ErrorKind.HEADERS_TOO_LARGE);
    }

    @Test
    @Rfc({"9110, 5.4", "6585, 5"})
    void thereMayBeAsManyFieldsAsTheLimitButNoMore() {
        assertBothReadings(true, "GET / HTTP/1.1~" + "A:~".repeat(8) + "~", WHOLE);
        assertThat(refused("GET / HTTP/1.1~" + "A:~".repeat(9) + "~").kind()).isEqualTo(ErrorKind.HEADERS_TOO_LARGE);
    }

    @Test
    @Rfc({"9112, 3", "9110, 15.6.2"})
    void aMethodLongerThanAnyIsNotImplemented() {
        // RFC 9112, 3: 501 for a method longer than any that is implemented.
        assertThat(refused("A".repeat(65) + " / HTTP/1.1~~").kind()).isEqualTo(ErrorKind.NOT_IMPLEMENTED);
        assertBothReadings(true, "A".repeat(64) + " / HTTP/1.1~~", WHOLE);
    }

    @Test
    void headsLongerThanTheWindowAreReadInOneGo() {
        DecoderLimits large = new DecoderLimits(64 << 10, 256 << 10, 1000);
        String text = "GET /" + "a".repeat(9000) + " HTTP/1.1~" + ("X: " + "b".repeat(5000) + "~").repeat(20) + "~";
        assertThat(verdict(HeadScanner.ofRequests(large), text)).isEqualTo(WHOLE);
        assertThat(verdict(HeadScanner.ofRequests(large), text.replace("b~X", "b\nX")))
                .isEqualTo(REFUSED);
    }

    @Test
    @Rfc("7239, 8.1")
    void detectsForwardingFieldsHoweverTheHeadIsSplit() {
        for (boolean single : new boolean[] {false, true}) {
            for (String name : new String[] {
                "X-Forwarded-For", "x_forwarded_for", "FORWARDED", "forwarded-for", "proxy", "PROXY", "Host"
            }) {
                HeadScanner scanner = HeadScanner.ofRequests(LIMITS);
                String head = "GET / HTTP/1.1~A: xf~" + name + ": 1~B: 2~~";
                assertThat(single ? inSingleBytes(scanner, head) : verdict(scanner, head))
                        .isEqualTo(WHOLE);
                assertThat(scanner.mayHaveForwardingFields()).as(name).isEqualTo(!name.equals("Host"));
                scanner.reset();
                assertThat(verdict(scanner, "GET / HTTP/1.1~Host: a~~")).isEqualTo(WHOLE);
                assertThat(scanner.mayHaveForwardingFields()).isFalse();
            }
        }
    }
}
