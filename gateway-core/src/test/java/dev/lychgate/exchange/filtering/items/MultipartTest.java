package dev.lychgate.exchange.filtering.items;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.filter.BodyPart;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.MultipartLimits;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of multipart/form-data: their changes, their limits, malformed bodies, and bodies cut at every byte. */
class MultipartTest {
    private static final String TYPE = "multipart/form-data; boundary=b0";
    /** Contents have line breaks and beginnings of the delimiter. */
    private static final String BODY = body("""
            --b0
            Content-Disposition: form-data; name="title"

            a\u00e4
            -
            --
            --b
            --b1
            --b0
            content-disposition: FORM-DATA; filename="../up\\\\a \\"1\\".txt"; name=file
            Content-Type: text/plain; charset=utf-8
            X-Note:  n

            \r-\r\r
            --b0
            Content-Disposition: form-data; name=""


            --b0--
            """);

    private final List<String> seen = new ArrayList<>();

    /** Returns the text with line breaks of HTTP; {@code \r} in it stays. */
    private static String body(String text) {
        return text.replace("\n", "\r\n");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Multipart parts(MultipartLimits limits, Consumer<BodyPart> action) {
        return new Multipart(List.of(TYPE), limits, action);
    }

    private static Multipart parts(Consumer<BodyPart> action) {
        return parts(MultipartLimits.DEFAULT, action);
    }

    /** Reads each content as a text and appends its parts to {@link #seen}. */
    private Multipart reading() {
        return parts(part -> {
            String head = part.getName() + "|" + part.getFilename() + "|" + part.getContentType() + "|"
                    + part.getHeaderNames().size();
            part.content(100, content -> seen.add(head + "|" + content.getText()));
        });
    }

    private static void pass(BodyTransform transform, byte[] piece, ByteArrayOutputStream out) {
        out.writeBytes(transform.piece(piece));
        while (transform.hasMore()) {
            out.writeBytes(transform.more());
        }
    }

    private static byte[] run(BodyTransform transform, byte[] body, int... cuts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int from = 0;
        for (int cut : cuts) {
            pass(transform, Arrays.copyOfRange(body, from, cut), out);
            from = cut;
        }
        pass(transform, Arrays.copyOfRange(body, from, body.length), out);
        out.writeBytes(transform.end());
        transform.close();
        return out.toByteArray();
    }

    private static String run(BodyTransform transform, String body) {
        return new String(run(transform, bytes(body)), StandardCharsets.UTF_8);
    }

    private static BodyRefusal refused(BodyTransform transform, byte[] body, int... cuts) {
        try {
            run(transform, body, cuts);
        } catch (BodyRefusal e) {
            return e;
        }
        throw new AssertionError("was not refused");
    }

    // ---- reading

    @Test
    void readsPartsAndPassesThemByteForByteHoweverTheBodyIsCut() {
        byte[] body = bytes(BODY);
        List<String> parts = List.of(
                "title|null|null|1|a\u00e4\r\n-\r\n--\r\n--b\r\n--b1",
                "file|../up\\a \"1\".txt|text/plain; charset=utf-8|3|\r-\r\r",
                "|null|null|1|");
        assertThat(run(reading(), body)).isEqualTo(body);
        assertThat(seen).isEqualTo(parts);
        for (int first = 0; first <= body.length; first++) {
            seen.clear();
            assertThat(run(reading(), body, first)).isEqualTo(body);
            assertThat(seen).isEqualTo(parts);
        }
        seen.clear();
        int[] everywhere = new int[body.length];
        Arrays.setAll(everywhere, i -> i);
        assertThat(run(reading(), body, everywhere)).isEqualTo(body);
        assertThat(seen).isEqualTo(parts);
    }

    @Test
    void passesBytesOfAnyKindInRandomChunks() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            for (int i = random.nextInt(400); i > 0; i--) {
                // Mostly the bytes of delimiters.
                content.write(random.nextBoolean() ? "\r\n--b".charAt(random.nextInt(5)) : random.nextInt(256));
            }
            String text = content.toString(StandardCharsets.ISO_8859_1).replace("--b0", "");
            byte[] body = ("--b0\r\nContent-Disposition: form-data; name=a\r\n\r\n" + text + "\r\n--b0--")
                    .getBytes(StandardCharsets.ISO_8859_1);
            int[] cuts = random.ints(10, 0, body.length + 1).sorted().toArray();
            List<byte[]> read = new ArrayList<>();
            byte[] passed = run(parts(part -> part.content(1000, whole -> read.add(whole.getBytes()))), body, cuts);
            assertThat(passed).isEqualTo(body);
            assertThat(read.get(0)).isEqualTo(text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void streamsContentAndHoldsOnlyWhatMayBeADelimiter() {
        Multipart transform = parts(part -> {});
        byte[] head = bytes("--b0\r\nContent-Disposition: form-data; name=a\r\n\r\n");
        assertThat(transform.piece(head)).isEqualTo(head);
        byte[] chunk = new byte[100_000];
        for (int i = 0; i < 20; i++) {
            assertThat(transform.piece(chunk.clone())).hasSize(chunk.length);
            assertThat(transform.heldMemory()).isZero();
        }
        assertThat(transform.piece(bytes("x\r\n--b"))).hasSize(1);
        assertThat(transform.piece(bytes("0"))).isEmpty();
        assertThat(transform.piece(bytes("--"))).isEqualTo(bytes("\r\n--b0--"));
        assertThat(transform.end()).isEmpty();
    }

    @Test
    void countsTheMemoryOfHeadersAndOfWholeContents() {
        Multipart transform = parts(part -> part.content(1 << 20, content -> {}));
        transform.piece(bytes("--b0\r\nX-A: " + "a".repeat(5000)));
        assertThat(transform.heldMemory()).isBetween(5000L, 5100L);
        transform.piece(bytes("\r\nContent-Disposition: form-data; name=a\r\n\r\n" + "c".repeat(6000)));
        assertThat(transform.heldMemory()).isEqualTo(6000);
        transform.piece(bytes("\r\n--b0--"));
        assertThat(transform.heldMemory()).isZero();
    }

    // ---- changes

    @Test
    void changesContentsAndFileNames() {
        String sent = run(
                parts(part -> {
                    if (part.getFilename() != null) {
                        part.setFilename("a\"\u00e4.txt");
                    }
                    part.content(100, content -> content.setText("<" + part.getName() + ">"));
                }),
                BODY);
        assertThat(sent).isEqualTo(body("""
                --b0
                Content-Disposition: form-data; name="title"

                <title>
                --b0
                content-disposition: form-data; name="file"; filename="a%22\u00e4.txt"
                Content-Type: text/plain; charset=utf-8
                X-Note: n

                <file>
                --b0
                Content-Disposition: form-data; name=""

                <>
                --b0--
                """));
    }

    @Test
    void dropsPartsAndReadsTheirContentNevertheless() {
        byte[] body = bytes(BODY);
        for (String dropped : List.of("title", "file", "")) {
            int[] everywhere = new int[body.length];
            Arrays.setAll(everywhere, i -> i);
            seen.clear();
            String sent = new String(
                    run(
                            parts(part -> {
                                if (part.getName().equals(dropped)) {
                                    part.drop();
                                    part.content(100, content -> seen.add(content.getText()));
                                }
                            }),
                            body,
                            everywhere),
                    StandardCharsets.UTF_8);
            assertThat(seen).hasSize(1);
            List<String> left = new ArrayList<>();
            assertThat(run(parts(part -> left.add(part.getName())), sent)).isEqualTo(sent);
            assertThat(left).hasSize(2).doesNotContain(dropped);
        }
        assertThat(run(parts(BodyPart::drop), BODY)).isEqualTo("--b0--\r\n");
    }

    @Test
    void holdsNothingOfADroppedPartHoweverLongItIs() throws Exception {
        Multipart transform = parts(BodyPart::drop);
        transform.piece(bytes("--b0\r\nContent-Disposition: form-data; name=a\r\n\r\n"));
        // The end of each chunk may begin a delimiter.
        byte[] chunk = new byte[1 << 20];
        System.arraycopy(bytes("\r\n--b"), 0, chunk, chunk.length - 5, 5);
        Field held = Multipart.class.getDeclaredField("held");
        held.setAccessible(true);
        for (int i = 0; i < 256; i++) {
            assertThat(transform.piece(chunk.clone())).isEmpty();
            assertThat((byte[]) held.get(transform)).hasSize(5);
            assertThat(transform.heldMemory()).isZero();
        }
        assertThat(transform.piece(bytes("\r\n--b0--"))).isEqualTo(bytes("--b0--"));
    }

    @Test
    void limitsTheContentOfADroppedPartThatIsReadWhole() {
        Multipart transform = parts(part -> {
            part.drop();
            part.content(10, content -> {});
        });
        transform.piece(bytes("--b0\r\nContent-Disposition: form-data; name=a\r\n\r\n0123456789"));
        assertThatThrownBy(() -> transform.piece(bytes("a")))
                .isInstanceOf(BodyRefusal.class)
                .hasMessageContaining("more than 10 bytes");
    }

    @Test
    void transformsAContentThatHasMoreOutputThanInput() {
        class Tripled implements BodyTransform {
            private int left;
            private byte[] last = {};

            @Override
            public byte[] piece(byte[] piece) {
                left = 2;
                last = piece;
                return piece.clone();
            }

            @Override
            public boolean hasMore() {
                return left > 0;
            }

            @Override
            public byte[] more() {
                left--;
                return last.clone();
            }

            @Override
            public byte[] end() {
                return bytes("!");
            }

            @Override
            public void close() {
                seen.add("closed");
            }
        }
        String body = "--b0\r\nContent-Disposition: form-data; name=a\r\n\r\nxy\r\n--b0\r\n"
                + "Content-Disposition: form-data; name=b\r\n\r\nz\r\n--b0--";
        assertThat(run(parts(part -> part.transform(new Tripled())), body))
                .isEqualTo(body.replace("xy", "xyxyxy!").replace("z", "zzz!"));
        assertThat(seen).containsExactly("closed", "closed");
    }

    @Test
    void closesTheTransformOfAPartThatDoesNotEnd() {
        Multipart transform = parts(part -> part.transform(new BodyTransform() {
            @Override
            public byte[] piece(byte[] piece) {
                return piece;
            }

            @Override
            public void close() {
                seen.add("closed");
            }
        }));
        transform.piece(bytes("--b0\r\nContent-Disposition: form-data; name=a\r\n\r\nxy"));
        transform.close();
        assertThat(seen).containsExactly("closed");
    }

    @Test
    void acceptsOneTransformForEachPart() {
        assertThatThrownBy(() -> run(
                        parts(part -> {
                            part.content(10, content -> {});
                            part.content(10, content -> {});
                        }),
                        BODY))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> run(parts(part -> part.setFilename("a\r\nX: y")), BODY))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---- limits

    @Test
    void rejectsBodiesBeyondTheLimits() {
        MultipartLimits limits = MultipartLimits.DEFAULT;
        byte[] body = bytes(BODY);
        assertThat(refused(parts(limits.parts(2), part -> {}), body).error().detail())
                .isEqualTo("the request body has more than 2 parts");
        assertThat(refused(parts(limits.header(50), part -> {}), body).error().detail())
                .isEqualTo("the request body has a part with a header of more than 50 bytes");
        assertThat(refused(parts(limits.total(body.length - 1), part -> {}), body)
                        .error()
                        .kind())
                .isEqualTo(ErrorKind.BODY_TOO_LARGE);
        assertThat(refused(parts(part -> part.content(3, content -> {})), body)
                        .error()
                        .detail())
                .isEqualTo("the request body has a part of more than 3 bytes");
        assertThat(run(parts(limits.parts(3).header(200).total(body.length), part -> {}), body))
                .isEqualTo(body);
    }

    @Test
    void rejectsAnUnendingHeaderBeforeItEnds() {
        Multipart transform = parts(part -> {});
        transform.piece(bytes("--b0\r\n"));
        assertThatThrownBy(() -> transform.piece(bytes("X: " + "a".repeat(9000))))
                .isInstanceOf(BodyRefusal.class)
                .hasMessageContaining("8192");
    }

    // ---- malformed bodies

    @Test
    void rejectsABodyThatEndsAnywhereBeforeItsLastDelimiter() {
        byte[] body = bytes(BODY);
        // The last line break is optional.
        for (int length = 0; length < body.length - 2; length++) {
            byte[] cut = Arrays.copyOf(body, length);
            assertThat(refused(parts(part -> {}), cut).error().kind()).isEqualTo(ErrorKind.MALFORMED_REQUEST);
        }
        assertThat(refused(parts(part -> {}), Arrays.copyOf(body, body.length - 1))
                        .error()
                        .kind())
                .isEqualTo(ErrorKind.MALFORMED_REQUEST);
    }

    private static final String HEAD = "--b0|Content-Disposition: form-data; name=a||";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "preamble|" + HEAD + "x|--b0--",
                "|" + HEAD + "x|--b0--",
                HEAD + "x|--b0--|epilogue",
                HEAD + "x|--b0--x",
                HEAD + "x|--b0-",
                HEAD + "x|--b0 |" + "Content-Disposition: form-data; name=b||y|--b0--",
                HEAD + "x|--b01|y|--b0--",
                HEAD + "--b0|Content-Disposition: form-data; name=b||y|--b0--",
                HEAD + "--b0--",
                HEAD + "x\n--b0|Content-Disposition: form-data; name=b||y|--b0--",
                HEAD + "\n--b0|Content-Disposition: form-data; name=b||y|--b0--",
                HEAD + "x|--b0\nContent-Disposition: form-data; name=b||y|--b0--",
                "--b0\nContent-Disposition: form-data; name=a\n\nx\n--b0--",
                "--b0||x|--b0--",
                "--b0|Content-Disposition: form-data||x|--b0--",
                "--b0|Content-Disposition: attachment; name=a||x|--b0--",
                "--b0|Content-Disposition: form-data; name=a; name=b||x|--b0--",
                "--b0|Content-Disposition: form-data; name=\"a||x|--b0--",
                "--b0|Content-Disposition: form-data; name=\"a\"b||x|--b0--",
                "--b0|Content-Disposition: form-data; name=a; filename=f; filename*=utf-8''g||x|--b0--",
                "--b0|Content-Disposition: form-data; name*=utf-8''a||x|--b0--",
                "--b0|Content-Disposition: form-data; name=a|Content-Disposition: form-data; name=b||x|--b0--",
                "--b0|Content-Disposition: form-data; name=a|content-type: a/b|Content-Type: c/d||x|--b0--",
                "--b0|Content-Disposition: form-data;| name=a||x|--b0--",
                "--b0|Content-Disposition : form-data; name=a||x|--b0--",
                "--b0|Content-Disposition: form-data; name=\"a\0.txt\"||x|--b0--",
                "--b0|Content-Disposition: form-data; name=a\n--b0: x||x|--b0--",
                "--b0|Content-Disposition: form-data; name=a|--b0: x||x|--b0--",
                "--b0|--b0: x|Content-Disposition: form-data; name=a||x|--b0--",
                "--b0|Content-Disposition: form-data; name=a|Content-Transfer-Encoding: base64||eA==|--b0--",
                "--b0|Content-Disposition: form-data; name=a|no colon||x|--b0--"
            })
    void rejectsABodyThatRecipientsReadDifferently(String body) {
        byte[] sent = bytes(body.replace("|", "\r\n"));
        int[] everywhere = new int[sent.length];
        Arrays.setAll(everywhere, i -> i);
        assertThat(refused(parts(part -> {}), sent).error().kind()).isEqualTo(ErrorKind.MALFORMED_REQUEST);
        assertThat(refused(parts(part -> {}), sent, everywhere).error().kind()).isEqualTo(ErrorKind.MALFORMED_REQUEST);
    }

    @Test
    void rejectsAHeaderThatIsNotInUtf8() {
        byte[] body = "--b0\r\nContent-Disposition: form-data; name=\"\u00e4\"\r\n\r\nx\r\n--b0--"
                .getBytes(StandardCharsets.ISO_8859_1);
        assertThat(refused(parts(part -> {}), body).error().detail()).contains("not in UTF-8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text/plain",
                "multipart/mixed; boundary=b",
                "multipart/form-data",
                "multipart/form-data; boundary=",
                "multipart/form-data; boundary=\"\"",
                "multipart/form-data; boundary=\"a \"",
                "multipart/form-data; boundary=\"a\u00e4\"",
                "multipart/form-data; boundary=a; boundary=b",
                "multipart/form-data; boundary=\"a",
                "multipart/form-data; boundary=01234567890123456789012345678901234567890123456789012345678901234567890"
            })
    void rejectsOtherTypesAndBoundaries(String type) {
        assertThatThrownBy(() -> new Multipart(List.of(type), MultipartLimits.DEFAULT, part -> {}))
                .isInstanceOf(BodyRefusal.class)
                .hasMessage("the request body is not multipart/form-data with a boundary");
    }

    @Test
    void rejectsTwoTypesAndReadsAQuotedBoundary() {
        assertThatThrownBy(() -> new Multipart(List.of(TYPE, TYPE), MultipartLimits.DEFAULT, part -> {}))
                .isInstanceOf(BodyRefusal.class);
        Multipart quoted = new Multipart(
                List.of("Multipart/Form-Data; charset=utf-8;; Boundary=\"a b:c\" ; "),
                MultipartLimits.DEFAULT,
                part -> {});
        assertThat(run(quoted, "--a b:c--")).isEqualTo("--a b:c--");
    }

    @Test
    void passesANestedBodyThatHasAnotherBoundary() {
        String inner = "--in\r\nContent-Disposition: file; filename=x\r\n\r\ny\r\n--in--";
        String body =
                "--b0\r\nContent-Disposition: form-data; name=a\r\nContent-Type: multipart/mixed; boundary=in\r\n\r\n"
                        + inner + "\r\n--b0--";
        assertThat(run(reading(), body)).isEqualTo(body);
        assertThat(seen).containsExactly("a|null|multipart/mixed; boundary=in|2|" + inner);
    }
}
