package dev.lychgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.lychgate.testing.Rfc;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Eight bytes at a time, and a table, must agree with the grammar, read one byte at a time. */
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
                                oneByOne(HttpBytesTest::isTchar, bytes, from),
                                HttpBytes.endOfToken(bytes, from, LENGTH),
                                where);
                        assertEquals(
                                oneByOne(HttpBytesTest::isVchar, bytes, from),
                                HttpBytes.endOfVisible(bytes, from, LENGTH),
                                where);
                        assertEquals(
                                oneByOne(HttpBytesTest::isOfFieldValue, bytes, from),
                                HttpBytes.endOfText(bytes, from, LENGTH),
                                where);
                    }
                }
            }
        }
    }

    @Test
    void doesNotReadBeyondTheEnd() {
        byte[] bytes = "aaaaaaaaaaaaaaaa".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        for (int end = 0; end <= bytes.length; end++) {
            assertEquals(end, HttpBytes.endOfToken(bytes, 0, end));
            assertEquals(end, HttpBytes.endOfVisible(bytes, 0, end));
            assertEquals(end, HttpBytes.endOfText(bytes, 0, end));
        }
    }

    private static int oneByOne(IntPredicate allowed, byte[] bytes, int from) {
        int i = from;
        while (i < bytes.length && allowed.test(bytes[i] & 0xff)) {
            i++;
        }
        return i;
    }

    /** {@code tchar}, as RFC 9110, 5.6.2 lists it. */
    private static boolean isTchar(int b) {
        return switch (b) {
            case '!', '#', '$', '%', '&', '\'', '*', '+', '-', '.', '^', '_', '`', '|', '~' -> true;
            default -> isDigit(b) || isAlpha(b);
        };
    }

    /** {@code DIGIT = %x30-39}, RFC 5234, B.1. */
    private static boolean isDigit(int b) {
        return b >= 0x30 && b <= 0x39;
    }

    /** {@code ALPHA = %x41-5A / %x61-7A}, RFC 5234, B.1. */
    private static boolean isAlpha(int b) {
        return (b >= 0x41 && b <= 0x5a) || (b >= 0x61 && b <= 0x7a);
    }

    /** {@code VCHAR = %x21-7E}, RFC 5234, B.1. */
    private static boolean isVchar(int b) {
        return b >= 0x21 && b <= 0x7e;
    }

    /** {@code field-vchar = VCHAR / obs-text}, {@code obs-text = %x80-FF}, and SP and HTAB between them: RFC 9110, 5.5. */
    private static boolean isOfFieldValue(int b) {
        return isVchar(b) || (b >= 0x80 && b <= 0xff) || b == 0x20 || b == 0x09;
    }
}
