package dev.lychgate.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Character classes of the HTTP grammar.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2">RFC 9110, 5.6.2 Tokens</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.5">RFC 9110, 5.5 Field Values</a>
 */
public final class HttpBytes {
    /** The class {@code tchar}: characters of methods and field names. */
    static final byte TOKEN = 1;
    /** The class {@code VCHAR}: visible ASCII, the characters of a request target. */
    static final byte VISIBLE = 2;
    /** The characters of field values and reason phrases: visible ASCII, space, tab and {@code obs-text}. */
    static final byte TEXT = 4;

    private static final byte[] CLASSES = new byte[256];

    static {
        for (int b = 0; b < 256; b++) {
            boolean visible = b > ' ' && b < 0x7f;
            boolean text = visible || b == ' ' || b == '\t' || b >= 0x80;
            boolean alphanumeric = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9');
            boolean token = alphanumeric || (visible && "!#$%&'*+-.^_`|~".indexOf(b) >= 0);
            CLASSES[b] = (byte) ((token ? TOKEN : 0) | (visible ? VISIBLE : 0) | (text ? TEXT : 0));
        }
    }

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** The top bit of each of eight bytes. */
    private static final long TOPS = 0x8080808080808080L;

    private static final long ONES = 0x0101010101010101L;

    private HttpBytes() {}

    static boolean is(byte b, byte classes) {
        return (CLASSES[b & 0xff] & classes) != 0;
    }

    /** Returns whether {@code b} is a {@code tchar}. */
    public static boolean isToken(byte b) {
        return is(b, TOKEN);
    }

    /** Returns whether a field value may contain {@code b}. */
    public static boolean isText(byte b) {
        return is(b, TEXT);
    }

    /** Converts an ASCII capital letter to lower case; returns other characters unchanged. */
    public static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
    }

    /** Returns whether {@code b} is white space allowed within a line: a space or a tab. */
    public static boolean isBlank(int b) {
        return b == ' ' || b == '\t';
    }

    /** Returns whether {@code text} consists of one or more ASCII digits. */
    public static boolean isDigits(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** Returns whether {@code b} is an ASCII digit. */
    public static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /**
     * Returns the index of the first non-token byte in the range from {@code from} to {@code end}, exclusive;
     * {@code end} if there is none.
     */
    public static int endOfToken(byte[] bytes, int from, int end) {
        return endOf(TOKEN, bytes, from, end);
    }

    /** Returns the index of the first byte that is not visible ASCII; {@code end} if there is none. */
    public static int endOfVisible(byte[] bytes, int from, int end) {
        return endOf(VISIBLE, bytes, skipFrom('!', bytes, from, end), end);
    }

    /** Returns the index of the first byte that a field value must not contain; {@code end} if there is none. */
    public static int endOfText(byte[] bytes, int from, int end) {
        return endOf(TEXT, bytes, skipFrom(' ', bytes, from, end), end);
    }

    private static int endOf(byte classes, byte[] bytes, int from, int end) {
        int i = from;
        while (i < end && is(bytes[i], classes)) {
            i++;
        }
        return i;
    }

    /**
     * Skips ASCII bytes that are at least {@code least} and are not DEL, in steps of eight bytes.
     *
     * @return an index before which all bytes satisfy this condition; not necessarily the largest such index
     */
    private static int skipFrom(char least, byte[] bytes, int from, int end) {
        int i = from;
        long below = ONES * least;
        while (end - i >= Long.BYTES) {
            long eight = (long) EIGHT.get(bytes, i);
            // The subtraction sets the top bit of the first byte that is too small; the addition of one sets the top
            // bit of a DEL.
            long others = ((eight - below) | (eight + ONES) | eight) & TOPS;
            if (others != 0) {
                return i + (Long.numberOfTrailingZeros(others) >>> 3);
            }
            i += Long.BYTES;
        }
        return i;
    }
}
