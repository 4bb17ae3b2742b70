package dev.lychgate.tracing;

/** Ids as traces write them: lower-case hexadecimal of a fixed length. */
final class Hex {
    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

    private Hex() {}

    /** Whether {@code text} has {@code count} digits at {@code from}; upper-case ones are none (W3C Trace Context, 3.2.2). */
    static boolean isHex(String text, int from, int count) {
        if (text.length() < from + count) {
            return false;
        }
        for (int i = from; i < from + count; i++) {
            if (digit(text.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** The value of up to 16 digits that are known to be such. */
    static long value(String text, int from, int count) {
        long value = 0;
        for (int i = from; i < from + count; i++) {
            value = value << 4 | digit(text.charAt(i));
        }
        return value;
    }

    /** Writes all 16 digits of {@code value}. */
    static void write(long value, char[] to, int at) {
        for (int i = 0; i < 16; i++) {
            to[at + i] = DIGITS[(int) (value >>> (60 - 4 * i)) & 15];
        }
    }

    static String of(long value) {
        char[] text = new char[16];
        write(value, text, 0);
        return new String(text);
    }

    static String of(long high, long low) {
        char[] text = new char[32];
        write(high, text, 0);
        write(low, text, 16);
        return new String(text);
    }

    private static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }
}
