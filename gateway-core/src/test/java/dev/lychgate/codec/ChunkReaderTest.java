package dev.lychgate.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.codec.ChunkReader.Step;
import dev.lychgate.testing.Rfc;
import dev.lychgate.testing.RfcRows;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Chunked bodies by RFC 9112, 7.1. {@code ~} is CR LF; the next message begins at {@code |}. */
class ChunkReaderTest {
    private static final DecoderLimits LIMITS = new DecoderLimits(1024, 512, 4);

    static RfcRows acceptsCompleteBodies() {
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
                        "3;a=b;c=\"d;e\\\" \t\";f~abc~0~~|",
                        "3 ;\ta = b; c = \"\";d~abc~0~~|")
                .and("9112, 7.1.2", "0~X: 1~Y:~Z: \u00e9~~|");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void acceptsCompleteBodies(String section, String message) {
        String bytes = bytes(message.replace("|", ""));
        int end = bytes(message.substring(0, message.indexOf('|'))).length();
        for (int cut = 1; cut <= bytes.length(); cut++) {
            ChunkReader reader = reader();
            ByteBuf in = Unpooled.buffer();
            Step step = Step.INCOMPLETE;
            for (int i = 0; i < bytes.length() && step == Step.INCOMPLETE; i += cut) {
                write(in, bytes.substring(i, Math.min(bytes.length(), i + cut)));
                step = readOn(reader, in);
            }
            assertThat(step).as(reader.detail()).isEqualTo(Step.OVER);
            assertThat(in.readerIndex() + reader.trailerLength()).isEqualTo(end);
        }
    }

    static RfcRows refusesMalformedBodiesHoweverTheyAreSplit() {
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
                        "3;a=b ;c~",
                        "3;a=\"b\" ;c~",
                        "3;a=\"b\"\t~",
                        "3;a=\"\u00e9\"~",
                        "3;a=\"\\ \"~",
                        "3;a=\"\\\u00e9\"~",
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
                .and("9110, 5.4", "0~A:~B:~C:~D:~E:~")
                .and("9112, 7.1.1", "3;" + "a".repeat(1023) + "~");
    }

    @ParameterizedTest(name = "RFC {0}: {1}")
    @MethodSource
    void refusesMalformedBodiesHoweverTheyAreSplit(String section, String message) {
        String bytes = bytes(message);
        for (int cut = 1; cut <= bytes.length(); cut++) {
            ChunkReader reader = reader();
            ByteBuf in = Unpooled.buffer();
            Step step = Step.INCOMPLETE;
            for (int i = 0; i < bytes.length() && step == Step.INCOMPLETE; i += cut) {
                write(in, bytes.substring(i, Math.min(bytes.length(), i + cut)));
                step = readOn(reader, in);
            }
            assertThat(step).isEqualTo(Step.REFUSED);
            assertThat(reader.detail()).isNotEmpty();
        }
    }

    @Test
    @Rfc("9112, 7.1.1")
    void extensionsAreBoundedByTheContentTheyFrame() {
        ChunkReader reader = reader();
        ByteBuf in = Unpooled.buffer();
        write(in, bytes("1;" + "a".repeat(600) + "~x~"));
        assertThat(readOn(reader, in)).isEqualTo(Step.REFUSED);

        reader = reader();
        in = Unpooled.buffer();
        write(in, bytes("1;abc~x~".repeat(1000)));
        assertThat(readOn(reader, in)).isEqualTo(Step.INCOMPLETE);
    }

    @Test
    @Rfc("9110, 5.4")
    void aTrailerSectionIsBoundedLikeAHead() {
        ChunkReader reader = reader();
        ByteBuf in = Unpooled.buffer();
        write(in, bytes("0~X: " + "a".repeat(600)));
        assertThat(readOn(reader, in)).isEqualTo(Step.REFUSED);
    }

    /** Reads like a connection: content is forwarded as it arrives. */
    private static Step readOn(ChunkReader reader, ByteBuf in) {
        Step step = reader.read(in);
        while (step == Step.CONTENT) {
            reader.content(in).release();
            step = reader.read(in);
        }
        return step;
    }

    private static void write(ByteBuf to, String bytes) {
        to.writeCharSequence(bytes, StandardCharsets.ISO_8859_1);
    }

    private static String bytes(String message) {
        return message.replace("~", "\r\n");
    }

    private static ChunkReader reader() {
        ChunkReader reader = new ChunkReader(HeadScanner.ofRequests(LIMITS), LIMITS);
        reader.begin();
        return reader;
    }
}
