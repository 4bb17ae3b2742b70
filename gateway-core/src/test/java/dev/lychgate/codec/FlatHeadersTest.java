package dev.lychgate.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Fields that stay bytes have the same behavior as Netty's headers. */
@Tag("slow")
class FlatHeadersTest {
    private static final List<String> NAMES = List.of(
            "Host", "host", "X-A", "x-a", "X-B", "Y-A", "Accept", "Cookie", "content-length", "Via", "A", "1", "-");

    private static FlatHeaders read(String... lines) {
        String head = "GET / HTTP/1.1\r\n" + String.join("\r\n", lines) + (lines.length > 0 ? "\r\n" : "") + "\r\n";
        HeadScanner scanner = HeadScanner.ofRequests(DecoderLimits.ORIGIN);
        ByteBuf bytes = Unpooled.copiedBuffer(head, ISO_8859_1);
        assertThat(scanner.scan(bytes)).isEqualTo(HeadScanner.Verdict.WHOLE);
        HeadIndex index = scanner.index();
        assertThat(index).isNotNull();
        return FlatHeaders.of(head.getBytes(ISO_8859_1), index);
    }

    private static String written(FlatHeaders headers) {
        HeadBuffer buffer = HeadBuffer.ofThread();
        buffer.clear();
        headers.writeTo(buffer);
        ByteBuf out = Unpooled.buffer();
        buffer.copyTo(out);
        return out.toString(ISO_8859_1);
    }

    @Test
    void findsFieldsInAnyCaseAndKeepsTheirOriginalNames() {
        FlatHeaders headers = read("Host: a.example", "X-A: 1", "x-a: \t2 3 \t", "X-Empty:", "X-`: caf\u00e9");
        assertThat(headers.get("HOST")).isEqualTo("a.example");
        assertThat(headers.get(AsciiString.of("x-A"))).isEqualTo("1");
        assertThat(headers.getAll("X-a")).containsExactly("1", "2 3");
        assertThat(headers.get("x-empty")).isEmpty();
        assertThat(headers.get("x-`")).isEqualTo("caf\u00e9");
        assertThat(headers.get("x-b")).isNull();
        assertThat(headers.get("")).isNull();
        assertThat(headers.names()).containsExactly("Host", "X-A", "x-a", "X-Empty", "X-`");
        assertThat(headers.size()).isEqualTo(5);
    }

    @Test
    void unchangedFieldsAreWrittenAsTheyArrived() {
        assertThat(written(read("Host: a", "X-A: 1", "x-b: \u00e9"))).isEqualTo("Host: a\r\nX-A: 1\r\nx-b: \u00e9\r\n");
        assertThat(written(read())).isEmpty();
    }

    @Test
    void blanksAroundValuesAreNotSentOn() {
        assertThat(written(read("A:1", "B:  2", "C: 3 ", "D:\t4", "E:", "F: ", "G: 7")))
                .isEqualTo("A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\nE: \r\nF: \r\nG: 7\r\n");
    }

    @Test
    void removingAFieldKeepsItsNeighbours() {
        FlatHeaders headers = read("A: 1", "B: 2", "C: 3", "B: 4", "D: 5");
        headers.remove("b");
        assertThat(written(headers)).isEqualTo("A: 1\r\nC: 3\r\nD: 5\r\n");
        headers.remove("A").remove("d").set("C", "6");
        assertThat(written(headers)).isEqualTo("C: 6\r\n");
    }

    @Test
    void readsAsManyFieldsAsThereAreBits() {
        String[] lines = new String[HeadIndex.MOST_FIELDS];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = "X-" + i + ": " + i;
        }
        FlatHeaders headers = read(lines);
        assertThat(headers.get("x-63")).isEqualTo("63");
        headers.remove("x-63").remove("x-0");
        assertThat(headers.size()).isEqualTo(62);
        assertThat(headers.clear().isEmpty()).isTrue();
        assertThat(written(headers)).isEmpty();
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // arguments that Netty's headers accept
    void numbersAndTimesAreReadAsNettyDoes() {
        FlatHeaders headers = read("A: 12", "B: x", "C: 70000", "D: Sun, 06 Nov 1994 08:49:37 GMT", "E: 99999999999");
        assertThat(headers.getInt("a")).isEqualTo(12);
        assertThat(headers.getInt("b")).isNull();
        assertThat(headers.getInt("e", 7)).isEqualTo(7);
        assertThat(headers.getShort("c")).isNull();
        assertThat(headers.getShort("a", (short) 1)).isEqualTo((short) 12);
        assertThat(headers.getTimeMillis("d")).isEqualTo(784111777000L);
        assertThat(headers.getTimeMillis("a", 5)).isEqualTo(5);
        headers.set(HttpHeaderNames.DATE, new Date(784111777000L)).setShort("F", (short) 3);
        assertThat(written(headers)).endsWith("date: Sun, 06 Nov 1994 08:49:37 GMT\r\nF: 3\r\n");
    }

    @Test
    void changesOfACopyDoNotAffectTheOriginal() {
        FlatHeaders headers = read("A: 1", "B: 2");
        headers.add("C", "3");
        HttpHeaders copy = headers.copy();
        copy.remove("a").set("c", "4");
        assertThat(written(headers)).isEqualTo("A: 1\r\nB: 2\r\nC: 3\r\n");
        assertThat(written((FlatHeaders) copy)).isEqualTo("B: 2\r\nc: 4\r\n");
    }

    /** Applies the same operations to both: both return the same, and the written bytes equal the returned values. */
    @Test
    void behavesAsNettysHeadersDo() {
        for (long seed = 0; seed < 3000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            HttpHeaders model = DefaultHttpHeadersFactory.headersFactory()
                    .withValidation(false)
                    .newHeaders();
            String[] lines = new String[random.nextInt(8)];
            for (int i = 0; i < lines.length; i++) {
                String name = name(random);
                lines[i] = name + ": " + i;
                model.add(name, String.valueOf(i));
            }
            FlatHeaders flat = read(lines);
            same(seed, flat, model);
            for (int step = random.nextInt(12); step > 0; step--) {
                change(random.nextInt(8), name(random), step, flat, model);
                same(seed, flat, model);
            }
        }
    }

    private static String name(SplittableRandom random) {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private static void change(int what, String name, int value, HttpHeaders... both) {
        for (HttpHeaders headers : both) {
            switch (what) {
                case 0 -> headers.add(name, value);
                case 1 -> headers.add(AsciiString.of(name), "v" + value);
                case 2 -> headers.set(name, List.of("a" + value, "b" + value));
                case 3 -> headers.remove(AsciiString.of(name));
                case 4 -> headers.setInt(name, value);
                case 5 -> headers.add(name, List.of(value, value + 1));
                case 6 -> headers.set(AsciiString.of(name), Unpooled.EMPTY_BUFFER);
                default -> headers.remove(name);
            }
        }
    }

    private static void same(long seed, FlatHeaders flat, HttpHeaders model) {
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        flat.iteratorAsString().forEachRemaining(fields::add);
        assertThat(fields).as("seed %s", seed).isEqualTo(model.entries()).isEqualTo(flat.entries());
        assertThat(flat.size()).isEqualTo(model.size());
        assertThat(flat.isEmpty()).isEqualTo(model.isEmpty());
        // Netty's set contains a name twice if it was added once as a String and once as an AsciiString.
        assertThat(List.copyOf(flat.names())).isEqualTo(List.copyOf(new LinkedHashSet<>(List.copyOf(model.names()))));
        StringBuilder text = new StringBuilder();
        model.entries()
                .forEach(field -> text.append(field.getKey())
                        .append(": ")
                        .append(field.getValue())
                        .append("\r\n"));
        assertThat(written(flat)).isEqualTo(text.toString());
        for (String name : NAMES) {
            assertThat(flat.get(name)).isEqualTo(model.get(name));
            assertThat(flat.getAll(name)).isEqualTo(model.getAll(name));
            assertThat(flat.contains(name)).isEqualTo(model.contains(name));
            assertThat(flat.contains(name, "1", true)).isEqualTo(model.contains(name, "1", true));
            sameByBytes(flat, model, AsciiString.of(name));
        }
    }

    /** The lookups of the codec, which compare bytes and create no text. */
    private static void sameByBytes(FlatHeaders flat, HttpHeaders model, AsciiString name) {
        String value = model.get(name);
        assertThat(flat.contains(name)).isEqualTo(value != null);
        assertThat(FlatHeaders.isRepeated(flat, name))
                .isEqualTo(model.getAll(name).size() > 1);
        for (HttpHeaders headers : List.of(flat, model)) {
            CharSequence view = FlatHeaders.view(headers, name);
            assertThat(view == null ? null : view.toString()).isEqualTo(value);
        }
    }

    @Test
    void comparesTheBytesOfTheOnlyReceivedValue() {
        FlatHeaders headers =
                read("Host: a", "connection:\tkeep-alive ", "B: keep-alive", "B: keep-alive", "C: keep-alive2");
        byte[] value = "keep-alive".getBytes(ISO_8859_1);
        assertThat(headers.isOnly(HttpHeaderNames.CONNECTION, value)).isTrue();
        assertThat(headers.isOnly(AsciiString.of("b"), value)).isFalse();
        assertThat(headers.isOnly(AsciiString.of("c"), value)).isFalse();
        assertThat(headers.isOnly(HttpHeaderNames.DATE, value)).isFalse();
        headers.add(HttpHeaderNames.CONNECTION, "keep-alive");
        assertThat(headers.isOnly(HttpHeaderNames.CONNECTION, value)).isFalse();
        headers.set(HttpHeaderNames.CONNECTION, "keep-alive");
        assertThat(headers.isOnly(HttpHeaderNames.CONNECTION, value)).isFalse();
    }
}
