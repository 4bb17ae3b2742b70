package dev.lychgate.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes, written {@code 0}, {@code 512B}, {@code 16KiB}, {@code 4MiB} or {@code 2GiB}.
 *
 * @param bytes the number of bytes, 0 or more
 */
public record ByteSize(long bytes) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,12})(B|KiB|MiB|GiB)");

    public ByteSize {
        Expect.that(bytes >= 0, "bytes", bytes, ">= 0");
    }

    public static ByteSize ofKiB(long n) {
        return new ByteSize(n << 10);
    }

    public static ByteSize ofMiB(long n) {
        return new ByteSize(n << 20);
    }

    /**
     * Reads a size such as {@code 16KiB}, or {@code 0}.
     *
     * @throws IllegalArgumentException if the text is neither 0 nor a whole number with one of the units B, KiB, MiB
     *     and GiB
     */
    public static ByteSize parse(String text) {
        if (text.equals("0")) {
            return new ByteSize(0);
        }
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("a size such as 512B, 16KiB, 4MiB or 2GiB");
        }
        int shift = switch (m.group(2)) {
            case "B" -> 0;
            case "KiB" -> 10;
            case "MiB" -> 20;
            default -> 30;
        };
        long n = Long.parseLong(m.group(1));
        if (n > Long.MAX_VALUE >> shift) {
            throw new IllegalArgumentException("a size below 8 EiB");
        }
        return new ByteSize(n << shift);
    }

    /** Returns the size as an int for limits of Netty; {@link Integer#MAX_VALUE} for larger sizes. */
    public int asInt() {
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    @Override
    public String toString() {
        if (bytes == 0) {
            return "0";
        }
        int shift = bytes % (1L << 30) == 0 ? 30 : bytes % (1L << 20) == 0 ? 20 : bytes % 1024 == 0 ? 10 : 0;
        return (bytes >> shift)
                + switch (shift) {
                    case 30 -> "GiB";
                    case 20 -> "MiB";
                    case 10 -> "KiB";
                    default -> "B";
                };
    }
}
