package dev.lychgate.limit;

import java.security.SecureRandom;

/**
 * SipHash-1-3 with a random key that all limits of the process share. Because clients do not have this key, a client
 * cannot find values that share a bucket with the value of another client. Thread-safe; allocates nothing.
 *
 * @see <a href="https://www.aumasson.jp/siphash/siphash.pdf">SipHash: a fast short-input PRF</a>
 */
public final class KeyedHash {
    /**
     * The hash function for all limits of this process. It is the same for all generations, because buckets outlive
     * generations.
     */
    public static final KeyedHash OF_PROCESS = new KeyedHash(new SecureRandom());

    private static final int CHARS_PER_BLOCK = Long.BYTES / Character.BYTES;

    private final long k0;
    private final long k1;

    private KeyedHash(SecureRandom random) {
        this(random.nextLong(), random.nextLong());
    }

    KeyedHash(long k0, long k1) {
        this.k0 = k0;
        this.k1 = k1;
    }

    /**
     * Hashes a number.
     *
     * @param before the hash of the preceding parts of the key; 0 for the first part
     */
    public long of(long before, long number) {
        return new State(k0, k1).block(before).block(number).end(2L * Long.BYTES);
    }

    /**
     * Hashes a text.
     *
     * @param before the hash of the preceding parts of the key; 0 for the first part
     */
    long of(long before, CharSequence text) {
        State state = new State(k0, k1).block(before);
        int length = text.length();
        int whole = length - length % CHARS_PER_BLOCK;
        for (int i = 0; i < whole; i += CHARS_PER_BLOCK) {
            state.block(text.charAt(i)
                    | (long) text.charAt(i + 1) << 16
                    | (long) text.charAt(i + 2) << 32
                    | (long) text.charAt(i + 3) << 48);
        }
        long rest = 0;
        for (int i = whole; i < length; i++) {
            rest |= (long) text.charAt(i) << (16 * (i - whole));
        }
        return state.block(rest).end(length);
    }

    /**
     * The four words of the hash state. The compiler keeps them in registers, because the object does not escape from
     * its method.
     */
    private static final class State {
        private long v0;
        private long v1;
        private long v2;
        private long v3;

        State(long k0, long k1) {
            v0 = k0 ^ 0x736f6d6570736575L;
            v1 = k1 ^ 0x646f72616e646f6dL;
            v2 = k0 ^ 0x6c7967656e657261L;
            v3 = k1 ^ 0x7465646279746573L;
        }

        State block(long m) {
            v3 ^= m;
            round();
            v0 ^= m;
            return this;
        }

        private void round() {
            v0 += v1;
            v2 += v3;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v1;
            v0 += v3;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 = Long.rotateLeft(v2, 32);
        }

        long end(long length) {
            block(length << 56);
            v2 ^= 0xff;
            round();
            round();
            round();
            return v0 ^ v1 ^ v2 ^ v3;
        }
    }
}
