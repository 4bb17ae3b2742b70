package dev.lychgate.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.RfcRows;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** RFC 9112, 7.1: what a chunked body may look like. {@code ~} is CR LF; the next message begins at {@code |}. */
class ChunkScannerTest {
    private static final DecoderLimits LIMITS = new DecoderLimits(1024, 512, 4);

    static RfcRows theseAreWhole() {
        return RfcRows.under(
                        "9112, 7.1",
                        "0~~|",
                        "0~~|GET / HTTP/1.1~",
                        "3~abc~0~~|",
                        "3~\r\n\r~0~~|0~~",
                        "A~0123456789~a~0123456789~000~~|",
                        "00000000000000000000003~abc~0~~|")
                .and(
                        "9112, 7.1.1",
                        // with the blanks that a recipient must put up with
                        "3;a~abc~0;last~~|",
                        "3;a=b;c=\"d;e\\\" \t\u00e9\";f~abc~0~~|",
                        "3 ;\ta = b ; c = \"\" ;d~abc~0~~|")
                .and("9112, 7.1.2", "0~X: 1~Y:~Z: \u00e9~~|");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void theseAreWhole(String section, String message) {
        String bytes = bytes(message.replace("|", ""));
        int end = bytes(message.substring(0, message.indexOf('|'))).length();
        for (int cut = 1; cut <= bytes.length(); cut++) {
            ChunkScanner scanner = scanner();
            ByteBuf in = Unpooled.buffer();
            for (int i = 0; i < bytes.length(); i += cut) {
                String piece = bytes.substring(i, Math.min(bytes.length(), i + cut));
                in.writeCharSequence(piece, StandardCharsets.ISO_8859_1);
                assertThat(scanner.isOver()).isFalse();
                assertThat(scanner.scan(in)).as(scanner.detail()).isTrue();
                if (in.readableBytes() > 2 && i + cut < end) {
                    // As a decoder does: content goes as it comes.
                    in.skipBytes(2);
                    assertThat(scanner.taken(2)).isTrue();
                }
            }
            int left = end - in.readerIndex();
            assertThat(scanner.taken(left)).isTrue();
            assertThat(scanner.isOver()).isTrue();
            assertThat(scanner.taken(1)).as("more than belongs to it").isFalse();
        }
    }

    static RfcRows theseAreRefusedWhateverPiecesTheyComeIn() {
        return RfcRows.under(
                        "9112, 7.1",
                        // sizes
                        "~",
                        ";a~",
                        " 3~",
                        "3 ~",
                        "3\t~",
                        "-3~",
                        "+3~",
                        "0x3~",
                        "3g~",
                        "3_0~",
                        "3,3~",
                        "80000000~",
                        "FFFFFFFFFFFFFFFF3~",
                        "10000000000000003~",
                        "\uff13~",
                        // ends of lines
                        "3\n",
                        "3\r\r",
                        "3\rabc",
                        "3~abc\n",
                        "3~abc\r0",
                        "3~abcd",
                        "3~abc0",
                        "3~abc~~",
                        "0~\n",
                        "0~\rX")
                .and(
                        "9112, 7.1.1",
                        // extensions
                        "3;~",
                        "3;;a~",
                        "3;a b~",
                        "3;a ~",
                        "3;a=~",
                        "3;a==b~",
                        "3;a=b c~",
                        "3;a=b ~",
                        "3;\"a\"~",
                        "3;a=\"b~",
                        "3;a=\"b\"c~",
                        "3;a=\"b\\~",
                        "3;a=\"\u0000\"~",
                        "3;a=\"\n\"~",
                        "3;a\n",
                        "3 a~")
                .and(
                        "9112, 7.1.2",
                        // trailers
                        "0~X~",
                        "0~: 1~",
                        "0~ X: 1~")
                .and("9112, 5.1", "0~X : 1~")
                .and("9112, 5.2", "0~X: 1~ 2~")
                .and("9112, 2.2", "0~X: 1\n", "0~X: 1\rY: 2~")
                .and("9110, 5.5", "0~X: \u0000~")
                .and("9110, 5.4", "0~A:~B:~C:~D:~E:~");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void theseAreRefusedWhateverPiecesTheyComeIn(String section, String message) {
        String bytes = bytes(message);
        for (int cut = 1; cut <= bytes.length(); cut++) {
            ChunkScanner scanner = scanner();
            ByteBuf in = Unpooled.buffer();
            boolean good = true;
            for (int i = 0; i < bytes.length() && good; i += cut) {
                in.writeCharSequence(
                        bytes.substring(i, Math.min(bytes.length(), i + cut)), StandardCharsets.ISO_8859_1);
                good = scanner.scan(in);
            }
            assertThat(good).isFalse();
            assertThat(scanner.detail()).isNotEmpty();
        }
    }

    @Test
    @Rfc("9112, 7.1.1")
    void extensionsAreBoundedByTheContentTheyFrame() {
        ChunkScanner scanner = scanner();
        ByteBuf in = Unpooled.buffer();
        write(in, bytes("1;" + "a".repeat(600) + "~x~"));
        assertThat(scanner.scan(in)).isFalse();

        scanner = scanner();
        in = Unpooled.buffer();
        write(in, bytes("1;abc~x~".repeat(1000)));
        assertThat(scanner.scan(in)).isTrue();
    }

    @Test
    @Rfc("9110, 5.4")
    void aTrailerSectionIsBoundedLikeAHead() {
        ChunkScanner scanner = scanner();
        ByteBuf in = Unpooled.buffer();
        write(in, bytes("0~X: " + "a".repeat(600)));
        assertThat(scanner.scan(in)).isFalse();
    }

    private static void write(ByteBuf to, String bytes) {
        to.writeCharSequence(bytes, StandardCharsets.ISO_8859_1);
    }

    private static String bytes(String message) {
        return message.replace("~", "\r\n");
    }

    private static ChunkScanner scanner() {
        ChunkScanner scanner = new ChunkScanner(HeadScanner.ofRequests(LIMITS), LIMITS);
        scanner.begin();
        return scanner;
    }
}
