package dev.lychgate.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The classes of bytes that HTTP's grammar knows.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2">RFC 9110, 5.6.2 Tokens</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.5">RFC 9110, 5.5 Field Values</a>
 */
public final class HttpBytes {
    /** {@code tchar}: methods and field names are made of them. */
    static final byte TOKEN = 1;
    /** {@code VCHAR}: visible ASCII; a request target has no other. */
    static final byte VISIBLE = 2;
    /** What a field value or reason phrase may hold: visible ASCII, space, tab and {@code obs-text}. */
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

    /** Whether {@code b} is a {@code tchar}. */
    public static boolean isToken(byte b) {
        return is(b, TOKEN);
    }

    /** Whether a field value may hold {@code b}. */
    public static boolean isText(byte b) {
        return is(b, TEXT);
    }

    /** A capital letter of ASCII as a small one; anything else as it is. */
    public static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
    }

    /** Whether {@code b} is white space that a line may contain: a space or a tab. */
    public static boolean isBlank(int b) {
        return b == ' ' || b == '\t';
    }

    /** Whether {@code text} consists of ASCII digits, at least one. */
    public static boolean isDigits(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /** Whether {@code b} is an ASCII digit. */
    public static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Where, from {@code from} on and before {@code end}, the first byte is that is not of a token; or {@code end}. */
    public static int endOfToken(byte[] bytes, int from, int end) {
        return endOf(TOKEN, bytes, from, end);
    }

    /** Where the first byte is that is not visible; or {@code end}. */
    public static int endOfVisible(byte[] bytes, int from, int end) {
        return endOf(VISIBLE, bytes, skipFrom('!', bytes, from, end), end);
    }

    /** Where the first byte is that no field value may hold; or {@code end}. */
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
     * Passes over bytes that are ASCII, at least {@code least} and not DEL, eight at a time. @return an index before which
     * all are; it need not be the last such one
     */
    private static int skipFrom(char least, byte[] bytes, int from, int end) {
        int i = from;
        long below = ONES * least;
        while (end - i >= Long.BYTES) {
            long eight = (long) EIGHT.get(bytes, i);
            // Subtracting borrows into the top bit of the first byte that is too small, adding one carries into DEL's.
            long others = ((eight - below) | (eight + ONES) | eight) & TOPS;
            if (others != 0) {
                return i + (Long.numberOfTrailingZeros(others) >>> 3);
            }
            i += Long.BYTES;
        }
        return i;
    }
}
