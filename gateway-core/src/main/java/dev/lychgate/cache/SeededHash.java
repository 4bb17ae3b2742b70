package dev.lychgate.cache;

import java.util.SplittableRandom;

/**
 * Hashes texts for tables of fixed size, with a secret factor. Clients choose most of the hashed texts. They can
 * construct texts with equal {@link String#hashCode}, but not texts with equal hashes of this function. Thread-safe.
 */
final class SeededHash {
    /** The modulus of the polynomial, 2<sup>61</sup> - 1, which is a prime. */
    private static final long PRIME = (1L << 61) - 1;

    private static final int CHARS_PER_STEP = 3;

    private final long factor;

    SeededHash() {
        this.factor = new SplittableRandom().nextLong(1L << 32, PRIME);
    }

    /**
     * Returns the hash of a text. The characters of the text are the coefficients of a polynomial, which is evaluated
     * at the secret factor.
     */
    int of(String text) {
        int length = text.length();
        long hash = length;
        int at = 0;
        while (at < length) {
            long step = 0;
            int end = Math.min(length, at + CHARS_PER_STEP);
            for (; at < end; at++) {
                step = (step << Character.SIZE) | text.charAt(at);
            }
            hash = reduced(product(hash, factor) + step);
        }
        hash = product(hash, factor);
        return (int) (hash ^ (hash >>> 32));
    }

    /** Returns the product of two numbers modulo {@link #PRIME}. Both numbers must be less than {@link #PRIME}. */
    private static long product(long one, long other) {
        long low = one * other;
        long high = Math.multiplyHigh(one, other);
        return reduced((low & PRIME) + ((low >>> 61) | (high << 3)));
    }

    private static long reduced(long number) {
        return number >= PRIME ? number - PRIME : number;
    }
}
