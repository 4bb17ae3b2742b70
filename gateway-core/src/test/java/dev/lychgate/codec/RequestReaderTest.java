package dev.lychgate.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Rfc;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes of a client become heads, bodies and ends; the reins hold the rest back as bytes. */
class RequestReaderTest {
    private static final DecoderLimits LIMITS = new DecoderLimits(256, 1024, 8);

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Recorded sink = new Recorded();
    private final RequestReader source;

    RequestReaderTest() {
        source = RequestReader.on(channel.pipeline(), LIMITS, false, sink);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void read(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text.replace("~", "\r\n"), StandardCharsets.ISO_8859_1));
    }

    @Test
    @Rfc("9112, 9.3.2")
    void reportsPipelinedRequestsOneAfterTheOther() {
        read("GET /1 HTTP/1.1~Host: a~~POST /2 HTTP/1.1~Host: a~Content-Length: 2~~hiGET /3 HTTP/1.0~~");
        assertThat(sink.told)
                .containsExactly("GET /1 NONE", "end", "POST /2 LENGTH=2", "'hi'", "end", "GET /3 NONE close", "end");
    }

    @Test
    void aPauseAtAHeadLeavesItsBodyUnparsed() {
        sink.afterHead = source::pause;
        read("POST /1 HTTP/1.1~Host: a~Transfer-Encoding: chunked~~2~hi~0~T: 1~~GET /2 HTTP/1.1~Host: a~~");
        assertThat(sink.told).containsExactly("POST /1 CHUNKED");
        assertThat(source.buffered()).isPositive();
        sink.afterHead = () -> {};
        sink.afterEnd = source::pause;
        assertThat(source.resume()).isTrue();
        assertThat(sink.told).containsExactly("POST /1 CHUNKED", "'hi'", "end [T]");
        assertThat(source.resume()).isTrue();
        assertThat(sink.told).hasSize(5).contains("GET /2 NONE");
        assertThat(source.buffered()).isZero();
    }

    @Test
    @Rfc("9112, 2.2")
    void readsMessagesInPiecesAsInOneRead() {
        String text = "~POST /1?a HTTP/1.1~Host: a~X-Y: 1~Transfer-Encoding: chunked~~2;x~hi~1~!~0~T: 1~~"
                + "GET /2 HTTP/1.0~~";
        for (int length = 1; length < 40; length++) {
            EmbeddedChannel pieces = new EmbeddedChannel();
            Recorded told = new Recorded();
            RequestReader.on(pieces.pipeline(), LIMITS, false, told);
            byte[] bytes = text.replace("~", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
            for (int i = 0; i < bytes.length; i += length) {
                pieces.writeInbound(Unpooled.copiedBuffer(bytes, i, Math.min(length, bytes.length - i)));
            }
            assertThat(String.join("", told.told).replace("'", ""))
                    .isEqualTo("POST /1 CHUNKEDhi!end [T]GET /2 NONE closeend");
            pieces.finishAndReleaseAll();
        }
    }

    @Test
    @Rfc("9112, 5")
    void readsMoreFieldsThanTheIndexHolds() {
        EmbeddedChannel many = new EmbeddedChannel();
        Recorded told = new Recorded();
        RequestReader.on(many.pipeline(), new DecoderLimits(256, 4096, 100), false, told);
        String text = "POST / HTTP/1.1~" + "X:1~".repeat(90) + "Host: \ta \t~Content-Length: 2~~hi";
        many.writeInbound(Unpooled.copiedBuffer(text.replace("~", "\r\n"), StandardCharsets.ISO_8859_1));
        assertThat(told.told).containsExactly("POST / LENGTH=2", "'hi'", "end");
        many.finishAndReleaseAll();
    }

    /** Some recipients would read eight bytes of body. */
    @Test
    @Rfc("9112, 6.3")
    void rejectsWebSocketDraftWhoseBodyNoFieldFrames() {
        read("GET / HTTP/1.1~Host: a~Sec-WebSocket-Key1: 1~Sec-WebSocket-Key2: 2~~");
        assertThat(sink.told).containsExactly("malformed malformed-request");
    }

    @Test
    @Rfc("9112, 6.3")
    void refusesHttp10WithTwoLengths() {
        read("POST /1 HTTP/1.0~Content-Length: 3~content-LENGTH: 4~~abcd");
        assertThat(sink.told).hasSize(1).first().asString().startsWith("malformed");
    }

    @Test
    void keepsBytesThatArriveDuringAPauseInOrder() {
        source.pause();
        read("GET /1 HTTP/1.1~Ho");
        read("st: a~~");
        assertThat(sink.told).isEmpty();
        assertThat(source.buffered()).isEqualTo(28);
        source.resume();
        assertThat(sink.told).containsExactly("GET /1 NONE", "end");
    }

    @Test
    void aResumeWithinAReadContinuesThatRead() {
        sink.afterEnd = () -> {
            source.pause();
            assertThat(source.resume()).isFalse();
        };
        read("GET /1 HTTP/1.1~Host: a~~GET /2 HTTP/1.1~Host: a~~");
        assertThat(sink.told).containsExactly("GET /1 NONE", "end", "GET /2 NONE", "end");
    }

    @Test
    void aResumeWithNothingBufferedParsesNothing() {
        source.pause();
        assertThat(source.resume()).isFalse();
        assertThat(source.resume()).isFalse();
    }

    @ParameterizedTest(name = "RFC {0}: {1}, {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "9112, 3.2.2 | 'GET http://h:1/p?q HTTP/1.1~Host: a~~'                | GET /p NONE",
                "9112, 3.2.1 | 'GET http://h HTTP/1.1~Host: a~~'                      | GET / NONE",
                "9112, 3.2.4 | 'OPTIONS * HTTP/1.1~Host: a~~'                         | OPTIONS * NONE",
                "9112, 3.2.4 | 'OPTIONS http://h HTTP/1.1~Host: a~~'                  | OPTIONS * NONE",
                "9112, 3.2.4 | 'OPTIONS http://h/ HTTP/1.1~Host: a~~'                 | OPTIONS / NONE",
                "9110, 2.5   | 'GET / HTTP/1.7~Host: a~~'                             | GET / NONE",
                "9112, 9.3   | 'GET / HTTP/1.1~Host: a~Connection: foo, Close~~'      | GET / NONE close",
                "9112, 9.3   | 'GET / HTTP/1.0~Connection: keep-alive~~'              | GET / NONE",
                "9112, 6.2   | 'POST / HTTP/1.1~Host: a~Content-Length: 0~~'          | POST / LENGTH=0",
                "9112, 3.2.4 | 'GET * HTTP/1.1~Host: a~~'                             | malformed malformed-request",
                "9112, 3.2.2 | 'GET ftp://a/ HTTP/1.1~Host: a~~'                      | malformed malformed-request",
                "9112, 6.3   | 'GET / HTTP/1.1~Host: a~Transfer-Encoding: chunked~Content-Length: x~~' | malformed malformed-request"
            })
    void heads(String section, String text, String told) {
        read(text);
        assertThat(sink.told.get(0)).isEqualTo(told);
    }

    @Test
    @Rfc({"9112, 3", "9110, 15.5.15"})
    void limitsAreTold() {
        read("GET /" + "a".repeat(300) + " HTTP/1.1~Host: a~~");
        assertThat(sink.told).containsExactly("malformed uri-too-long");
    }

    @Test
    @Rfc({"9110, 5.4", "6585, 5"})
    void aLargeHeaderSectionIsTold() {
        read("GET / HTTP/1.1~Host: a~X: " + "a".repeat(2000) + "~~");
        assertThat(sink.told).containsExactly("malformed headers-too-large");
    }

    @Test
    @Rfc({"9110, 5.4", "6585, 5"})
    void tooManyFieldsAreTold() {
        read("GET / HTTP/1.1~Host: a~" + "X: 1~".repeat(8) + "~");
        assertThat(sink.told).containsExactly("malformed headers-too-large");
    }

    @Test
    @Rfc("9110, 5.4")
    void reportsTooManyTrailers() {
        read("POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~0~" + "X: 1~".repeat(9)
                + "~GET / HTTP/1.1~Host: a~~");
        assertThat(sink.told).containsExactly("POST / CHUNKED", "malformed headers-too-large");
    }

    @Test
    @Rfc("9112, 7.1.1")
    void reportsABodyThatIsMostlyChunkExtensions() {
        // RFC 9112, 7.1.1: the total length of chunk extensions ought to be limited.
        read("POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~");
        for (int i = 0; i < 20 && sink.told.size() < 20; i++) {
            read("1;a=" + "b".repeat(200) + "~x~");
        }
        assertThat(sink.told).hasSizeLessThan(10).endsWith("malformed malformed-request");
    }

    @Test
    @Rfc("9112, 7.1")
    void acceptsABodyOfOneByteChunks() {
        read("POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~" + "1~x~".repeat(5000) + "0~~");
        assertThat(sink.told).hasSize(5002).endsWith("'x'", "end");
    }

    @Test
    @Rfc({"9112, 2.2", "9112, 11.2"})
    void reportsNoEventAfterAMalformedMessage() {
        read("POST / HTTP/1.1~Host: a~Transfer-Encoding: chunked~~1~x~zz~GET / HTTP/1.1~Host: a~~");
        read("GET / HTTP/1.1~Host: a~~");
        assertThat(sink.told).containsExactly("POST / CHUNKED", "'x'", "malformed malformed-request");
    }
}
