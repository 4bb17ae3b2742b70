package dev.lychgate.codec;

/**
 * The classes of bytes that HTTP's grammar knows.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2">RFC 9110, 5.6.2 Tokens</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-5.5">RFC 9110, 5.5 Field Values</a>
 */
final class HttpBytes {
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

    private HttpBytes() {}

    /** Whether {@code b} is of one of {@code classes}. */
    static boolean is(byte b, byte classes) {
        return (CLASSES[b & 0xff] & classes) != 0;
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }
}
