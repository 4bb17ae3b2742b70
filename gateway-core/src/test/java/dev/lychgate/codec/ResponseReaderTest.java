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

/** Bytes of an origin become interim heads, a final head, a body and an end; unsolicited bytes are reported. */
class ResponseReaderTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Recorded sink = new Recorded();
    private final ResponseReader source;

    ResponseReaderTest() {
        source = ResponseReader.on(channel.pipeline(), DecoderLimits.ORIGIN, sink);
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private void read(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text.replace("~", "\r\n"), StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest(name = "RFC {0}: {1}, {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "9112, 6.2  | 'HTTP/1.1 200 OK~Content-Length: 2~~hi'                     | 200 LENGTH=2,'hi',end",
                "9112, 7.1  | 'HTTP/1.1 200 OK~Transfer-Encoding: Chunked~~2~hi~0~T: 1~~' | 200 CHUNKED,'hi',end [T]",
                "9112, 6.3  | 'HTTP/1.1 204 No Content~Content-Length: 5~~'               | 204 NONE,end",
                "9112, 6.3  | 'HTTP/1.1 304 Not Modified~Content-Length: 5~~'             | 304 NONE,end",
                "9110, 15.2 | 'HTTP/1.1 103 Hints~~HTTP/1.1 200 OK~Content-Length: 0~~'   | 103 NONE,200 LENGTH=0,end",
                "9112, 9.3  | 'HTTP/1.0 200 OK~Content-Length: 0~~'                       | 200 LENGTH=0 close,end",
                "9112, 9.3  | 'HTTP/1.0 200 OK~Content-Length: 0~Connection: keep-alive~~' | 200 LENGTH=0,end",
                "9112, 6.3  | 'HTTP/1.1 200 OK~Content-Length: 2~~hiHTTP'                 | 200 LENGTH=2,'hi',end surplus",
                "9112, 9.2  | 'HTTP/1.1 200 OK~Content-Length: 0~~~'                      | 200 LENGTH=0,end surplus,unsolicited",
                "9112, 6.3  | 'HTTP/1.1 200 OK~~hi'                                       | 200 UNTIL_CLOSE,'hi'",
                "9110, 15.2.2 | 'HTTP/1.1 101 Switching Protocols~Upgrade: x~~'           | malformed",
                "9112, 4    | 'HTTP/1.1 99 No~~'                                          | malformed",
                "9112, 7.4  | 'HTTP/1.1 200 OK~Transfer-Encoding: gzip~~'                 | malformed",
                "9112, 6.3  | 'HTTP/1.1 200 OK~Content-Length: 1, 2~~'                    | malformed"
            })
    void answersToGet(String section, String text, String told) {
        source.expect(false);
        read(text);
        assertThat(String.join(",", sink.told)).startsWith(told);
    }

    @Test
    @Rfc({"9110, 9.3.2", "9112, 6.3"})
    void anAnswerToHeadHasNoBodyWhateverItsFieldsSay() {
        source.expect(true);
        read("HTTP/1.1 200 OK~Content-Length: 5~~");
        source.expect(true);
        read("HTTP/1.1 100 Go~~HTTP/1.1 200 OK~Transfer-Encoding: chunked~~");
        source.expect(false);
        read("HTTP/1.1 200 OK~Content-Length: 2~~hi");
        assertThat(sink.told)
                .containsExactly("200 NONE", "end", "100 NONE", "200 NONE", "end", "200 LENGTH=2", "'hi'", "end");
    }

    @ParameterizedTest
    @CsvSource({
        "true, '200 OK~Content-Length: 3~Transfer-Encoding: chunked'",
        "true, '200 OK~Transfer-Encoding: gzip, chunked'",
        "true, '200 OK~Transfer-Encoding: chunked~Transfer-Encoding: chunked'",
        "false, '304 Not Modified~Content-Length: 3~Transfer-Encoding: chunked'",
        "false, '204 No Content~Content-Length: 3~Transfer-Encoding: chunked'",
        "false, '304 Not Modified~Content-Length: 3~Content-Length: 4'"
    })
    @Rfc("9112, 6.3")
    void contradictoryFramingIsRefusedEvenWhereNoBodyFollows(boolean toHead, String response) {
        source.expect(toHead);
        read("HTTP/1.1 " + response + "~~");
        assertThat(sink.told).hasSize(1).allMatch(told -> told.startsWith("malformed"));
    }

    @ParameterizedTest
    @CsvSource({"true, 200 OK", "false, 200 OK", "false, 304 Not Modified", "false, 204 No Content"})
    @Rfc("9112, 6.1")
    void rejectsTransferCodingInHttp10EvenWithoutBody(boolean toHead, String status) {
        source.expect(toHead);
        read("HTTP/1.0 " + status + "~Transfer-Encoding: chunked~~");
        assertThat(sink.told).hasSize(1).allMatch(told -> told.startsWith("malformed"));
    }

    @Test
    @Rfc("9112, 9.2")
    void bytesBeforeARequestAndAfterAResponseAreUnsolicitedAndDiscarded() {
        read("HTTP/1.1 408 Timeout~Content-Length: 0~~");
        assertThat(sink.told).containsExactly("unsolicited");
        read("more");
        assertThat(sink.told).containsExactly("unsolicited");
    }

    @Test
    void detectsTheStartOfAResponseAtItsFirstByte() {
        source.expect(false);
        assertThat(source.begun()).isFalse();
        read("H");
        assertThat(source.begun()).isTrue();
        read("TTP/1.1 200 OK~Content-Length: 0~~");
        source.expect(false);
        assertThat(source.begun()).isFalse();
    }

    @Test
    @Rfc("9112, 6.3")
    void aCloseEndsAResponseOnlyIfItIsTheFraming() {
        source.expect(false);
        read("HTTP/1.1 200 OK~~hi");
        channel.close();
        assertThat(sink.told).containsExactly("200 UNTIL_CLOSE", "'hi'", "end");
    }

    @ParameterizedTest
    @CsvSource({"Content-Length: 5", "Transfer-Encoding: chunked"})
    @Rfc("9112, 8")
    void aCloseNeverEndsAnAnswerThatIsFramedOtherwise(String framing) {
        source.expect(false);
        read("HTTP/1.1 200 OK~" + framing + "~~2~");
        channel.close();
        assertThat(sink.told).isNotEmpty().doesNotContain("end");
    }
}
