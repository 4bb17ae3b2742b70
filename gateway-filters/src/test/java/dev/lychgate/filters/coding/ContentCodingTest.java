package dev.lychgate.filters.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each coding, encoded and decoded by the gateway and by other implementations. */
@Tag("slow")
class ContentCodingTest {
    /** Random words with noise between them. */
    private static final byte[] TEXT = text(300_000);

    private static byte[] text(int length) {
        Random random = new Random(7);
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append("word").append(random.nextInt(50)).append(random.nextInt(9) == 0 ? random.nextLong() : " ");
        }
        return text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] encoded(ContentCoding coding, byte[] plain, int pieces) {
        Encoder encoder = coding.encoder(coding.usualLevel(), 18);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int step = Math.max(1, plain.length / pieces);
        for (int at = 0; at < plain.length; at += step) {
            all.writeBytes(encoder.encode(Arrays.copyOfRange(plain, at, Math.min(plain.length, at + step))));
        }
        all.writeBytes(encoder.finish());
        encoder.close();
        return all.toByteArray();
    }

    /** @param step the number of bytes for each feed */
    private static byte[] decoded(ContentCoding coding, byte[] coded, int step) {
        Decoder decoder = coding.decoder();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] room = new byte[1000];
        try {
            for (int at = 0; at < coded.length; at += step) {
                decoder.feed(Arrays.copyOfRange(coded, at, Math.min(coded.length, at + step)));
                for (int n = decoder.decode(room); n > 0; n = decoder.decode(room)) {
                    all.write(room, 0, n);
                }
            }
            decoder.end();
            return all.toByteArray();
        } finally {
            decoder.close();
        }
    }

    private static byte[] decodedByOthers(ContentCoding coding, byte[] coded) throws IOException {
        InputStream in = new ByteArrayInputStream(coded);
        try (InputStream decoded = switch (coding) {
            case GZIP -> new GZIPInputStream(in);
            case DEFLATE -> new InflaterInputStream(in);
            case BR -> new BrotliInputStream(in);
            case ZSTD -> new ZstdInputStream(in);
        }) {
            return decoded.readAllBytes();
        }
    }

    @ParameterizedTest
    @EnumSource
    void isAvailableOnMachinesOfTheBuild(ContentCoding coding) {
        assertThat(coding.isAvailable()).isTrue();
        assertThat(ContentCoding.of(coding.token())).isEqualTo(coding);
    }

    @Test
    void isFoundByItsOldNameAndInAnyCase() {
        assertThat(ContentCoding.of("X-Gzip")).isEqualTo(ContentCoding.GZIP);
        assertThat(ContentCoding.of("compress")).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void decodesWhatItEncodes(ContentCoding coding) throws Exception {
        for (int pieces : new int[] {1, 7, 3000}) {
            byte[] coded = encoded(coding, TEXT, pieces);
            assertThat(coded.length).isLessThan(TEXT.length / 2);
            assertThat(decodedByOthers(coding, coded)).isEqualTo(TEXT);
            assertThat(decoded(coding, coded, 1)).isEqualTo(TEXT);
            assertThat(decoded(coding, coded, coded.length)).isEqualTo(TEXT);
        }
    }

    @ParameterizedTest
    @EnumSource
    void decodesABodyThatFillsItsWindowToTheLastByte(ContentCoding coding) throws Exception {
        byte[] window = Arrays.copyOf(TEXT, 1 << 18);
        byte[] coded = encoded(coding, window, 8);
        assertThat(decoded(coding, coded, 1)).isEqualTo(window);
        assertThat(decoded(coding, coded, coded.length)).isEqualTo(window);
    }

    @ParameterizedTest
    @EnumSource
    void encodesAnEmptyBody(ContentCoding coding) throws Exception {
        byte[] coded = encoded(coding, new byte[0], 1);
        assertThat(decodedByOthers(coding, coded)).isEmpty();
        assertThat(decoded(coding, coded, 1)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void flushesAllInputOnce(ContentCoding coding) {
        Encoder encoder = coding.encoder(coding.usualLevel(), 18);
        Decoder decoder = coding.decoder();
        byte[] room = new byte[100];
        for (String word : new String[] {"one", "two", "three"}) {
            ByteArrayOutputStream coded = new ByteArrayOutputStream();
            coded.writeBytes(encoder.encode(word.getBytes(StandardCharsets.US_ASCII)));
            coded.writeBytes(encoder.flush());
            assertThat(encoder.flush()).isEmpty();
            decoder.feed(coded.toByteArray());
            StringBuilder seen = new StringBuilder();
            for (int n = decoder.decode(room); n > 0; n = decoder.decode(room)) {
                seen.append(new String(room, 0, n, StandardCharsets.US_ASCII));
            }
            assertThat(seen).hasToString(word);
        }
        encoder.close();
        decoder.close();
    }

    @ParameterizedTest
    @EnumSource
    void isCloseableAtAnyTimeAndTwice(ContentCoding coding) {
        Encoder encoder = coding.encoder(coding.usualLevel(), 18);
        encoder.encode(TEXT);
        encoder.close();
        encoder.close();
        Decoder decoder = coding.decoder();
        decoder.feed(encoded(coding, TEXT, 1));
        decoder.decode(new byte[10]);
        decoder.close();
        decoder.close();
    }

    @ParameterizedTest
    @EnumSource
    void refusesDataThatIsTruncatedAnywhere(ContentCoding coding) {
        byte[] coded = encoded(coding, Arrays.copyOf(TEXT, 3000), 1);
        for (int length = 1; length < coded.length; length += 1 + length / 20) {
            byte[] part = Arrays.copyOf(coded, length);
            assertThatThrownBy(() -> decoded(coding, part, 100))
                    .as("the first %d of %d bytes", length, coded.length)
                    .isInstanceOf(CodingException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesTrailingBytes(ContentCoding coding) {
        byte[] coded = encoded(coding, Arrays.copyOf(TEXT, 3000), 1);
        byte[] longer = Arrays.copyOf(coded, coded.length + 9);
        Arrays.fill(longer, coded.length, longer.length, (byte) 'x');
        for (int step : new int[] {1, coded.length, longer.length}) {
            assertThatThrownBy(() -> decoded(coding, longer, step)).isInstanceOf(CodingException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesOtherFormats(ContentCoding coding) {
        assertThatThrownBy(() -> decoded(coding, TEXT, 100)).isInstanceOf(CodingException.class);
    }

    @ParameterizedTest
    @EnumSource
    void failsOnNoiseOnlyWithACodingException(ContentCoding coding) {
        byte[] good = encoded(coding, Arrays.copyOf(TEXT, 2000), 1);
        Random random = new Random(11);
        for (int i = 0; i < 3000; i++) {
            byte[] bad = good.clone();
            for (int hits = 1 + random.nextInt(3); hits > 0; hits--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(decoded(coding, bad, 1 + random.nextInt(bad.length)).length)
                        .isLessThan(64 << 20);
            } catch (CodingException e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
    }

    @Test
    void gzipMayHaveSeveralMembersWithNamesCommentsAndChecksums() throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(all)) {
            out.write("one ".getBytes(StandardCharsets.US_ASCII));
        }
        byte[] plain = encoded(ContentCoding.GZIP, "two".getBytes(StandardCharsets.US_ASCII), 1);
        // All optional parts: extra field of two bytes, name, comment, checksum of the header.
        all.writeBytes(
                new byte[] {0x1f, (byte) 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 2, 0, 9, 9, 'n', 0, 'c', 'c', 0, 1, 2});
        all.write(plain, 10, plain.length - 10);
        for (int step : new int[] {1, 3, 1000}) {
            assertThat(new String(decoded(ContentCoding.GZIP, all.toByteArray(), step), StandardCharsets.US_ASCII))
                    .isEqualTo("one two");
        }
    }

    @Test
    void gzipVerifiesChecksumAndLength() {
        byte[] coded = encoded(ContentCoding.GZIP, TEXT, 1);
        for (int fromEnd : new int[] {1, 5}) {
            byte[] wrong = coded.clone();
            wrong[wrong.length - fromEnd] ^= 1;
            assertThatThrownBy(() -> decoded(ContentCoding.GZIP, wrong, 1000)).isInstanceOf(CodingException.class);
        }
    }

    @Test
    void zstdMayHaveSeveralAndSkippableFrames() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Zstd.compress("one ".getBytes(StandardCharsets.US_ASCII)));
        all.writeBytes(new byte[] {0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3});
        all.writeBytes(Zstd.compress("two".getBytes(StandardCharsets.US_ASCII)));
        for (int step : new int[] {1, 1000}) {
            assertThat(new String(decoded(ContentCoding.ZSTD, all.toByteArray(), step), StandardCharsets.US_ASCII))
                    .isEqualTo("one two");
        }
    }

    @Test
    void zstdWindowsOfMoreThanEightMiBAreRefused() throws Exception {
        for (int bits : new int[] {23, 24}) {
            ByteArrayOutputStream coded = new ByteArrayOutputStream();
            try (ZstdOutputStream out = new ZstdOutputStream(coded, 1)) {
                out.setLong(bits);
                out.write(TEXT);
            }
            if (bits == 23) {
                assertThat(decoded(ContentCoding.ZSTD, coded.toByteArray(), 1000))
                        .isEqualTo(TEXT);
            } else {
                assertThatThrownBy(() -> decoded(ContentCoding.ZSTD, coded.toByteArray(), 1000))
                        .isInstanceOf(CodingException.class)
                        .hasMessageContaining("8 MiB");
            }
        }
    }

    @Test
    void bareDeflateDataIsNotDeflate() {
        byte[] zlib = encoded(ContentCoding.DEFLATE, TEXT, 1);
        byte[] bare = Arrays.copyOfRange(zlib, 2, zlib.length - 4);
        assertThatThrownBy(() -> decoded(ContentCoding.DEFLATE, bare, 1000)).isInstanceOf(CodingException.class);
    }
}
