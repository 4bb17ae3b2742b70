package dev.lychgate.tracing;

import java.util.HexFormat;

/** Reads and writes trace ids and span ids, which are lower-case hexadecimal numbers of a fixed length. */
final class Hex {
    private Hex() {}

    /**
     * Returns whether {@code text} has {@code count} lower-case hexadecimal digits at {@code from} (W3C Trace Context,
     * 3.2.2).
     */
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

    /** Returns the value of up to 16 valid hexadecimal digits. */
    static long value(String text, int from, int count) {
        return HexFormat.fromHexDigitsToLong(text, from, from + count);
    }

    static String of(long value) {
        return HexFormat.of().toHexDigits(value);
    }
}
