package dev.lychgate.exchange;

import java.util.SplittableRandom;

/**
 * Makes the ids that requests are known by in logs: unlike any other's with a probability that does not matter, and cheap:
 * a random prefix per event loop and a count. One per loop.
 */
final class RequestIds {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private final char[] text = new char[24];
    private long count;

    RequestIds(SplittableRandom random) {
        hex(random.nextLong(), 0, 16);
        // Begins anywhere, so that ids do not tell how many requests there have been.
        count = random.nextInt() & 0xffffffffL;
    }

    String next() {
        hex(count++, 16, 8);
        return new String(text);
    }

    private void hex(long value, int at, int digits) {
        for (int i = 0; i < digits; i++) {
            text[at + i] = HEX[(int) (value >>> (4 * (digits - 1 - i))) & 15];
        }
    }
}
