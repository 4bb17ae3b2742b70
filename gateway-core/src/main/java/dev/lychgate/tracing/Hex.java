package dev.lychgate.tracing;

import java.util.HexFormat;

/** Ids as traces write them: lower-case hexadecimal of a fixed length. */
final class Hex {
    private Hex() {}

    /** Whether {@code text} has {@code count} digits at {@code from}; upper-case ones are none (W3C Trace Context, 3.2.2). */
    static boolean isHex(String text, int from, int count) {
        if (text.length() < from + count) {
            return false;
        }
        for (int i = from; i < from + count; i++) {
            char c = text.charAt(i);
            if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    /** The value of up to 16 digits that are known to be such. */
    static long value(String text, int from, int count) {
        return HexFormat.fromHexDigitsToLong(text, from, from + count);
    }

    static String of(long value) {
        return HexFormat.of().toHexDigits(value);
    }
}
