package dev.lychgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.lychgate.testing.Rfc;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Eight bytes at a time must come to what one at a time comes to. */
@DisplayName("The classes of bytes in RFC 9110, 5.5 and 5.6.2")
class HttpBytesTest {
    private static final int LENGTH = 27;

    @Test
    @Rfc({"9110, 5.5", "9110, 5.6.2"})
    void aByteOfAnotherClassIsFoundWhereverItStandsAndWhateverFollows() {
        for (int odd = 0; odd < 256; odd++) {
            for (int at = 0; at < LENGTH; at++) {
                for (int follower : new int[] {'a', 0x00, 0x7f, 0x80, 0xff, ' '}) {
                    byte[] bytes = new byte[LENGTH];
                    Arrays.fill(bytes, (byte) 'a');
                    bytes[at] = (byte) odd;
                    if (at + 1 < LENGTH) {
                        bytes[at + 1] = (byte) follower;
                    }
                    String where = "byte " + odd + " at " + at + " before " + follower;
                    for (int from = 0; from < 3; from++) {
                        assertEquals(
                                oneByOne(HttpBytes.TOKEN, bytes, from),
                                HttpBytes.endOfToken(bytes, from, LENGTH),
                                where);
                        assertEquals(
                                oneByOne(HttpBytes.VISIBLE, bytes, from),
                                HttpBytes.endOfVisible(bytes, from, LENGTH),
                                where);
                        assertEquals(
                                oneByOne(HttpBytes.TEXT, bytes, from), HttpBytes.endOfText(bytes, from, LENGTH), where);
                    }
                }
            }
        }
    }

    @Test
    void nothingBeyondTheEndIsLookedAt() {
        byte[] bytes = "aaaaaaaaaaaaaaaa".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        for (int end = 0; end <= bytes.length; end++) {
            assertEquals(end, HttpBytes.endOfToken(bytes, 0, end));
            assertEquals(end, HttpBytes.endOfVisible(bytes, 0, end));
            assertEquals(end, HttpBytes.endOfText(bytes, 0, end));
        }
    }

    private static int oneByOne(byte classes, byte[] bytes, int from) {
        int i = from;
        while (i < bytes.length && HttpBytes.is(bytes[i], classes)) {
            i++;
        }
        return i;
    }
}
