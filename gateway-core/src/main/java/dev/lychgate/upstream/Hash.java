package dev.lychgate.upstream;

/**
 * Hash functions for placing requests and endpoints. Their results are equal on every loop, in every process and on
 * every JDK, so that gateways agree with each other, even after a restart. They need not be collision-resistant: a
 * client that chooses its key could in any case always send the same key.
 */
final class Hash {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final double UNIT = 0x1.0p-53;

    private Hash() {}

    /** FNV-1a over the characters, mixed, because FNV alone leaves the high bits of short strings alike. */
    static long of(CharSequence text) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return mix(hash);
    }

    /** Lets every bit of the input affect all bits of the result. This is the finalizer of SplitMix64, a bijection. */
    static long mix(long bits) {
        long z = bits + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Returns a number in (0, 1], uniformly distributed. */
    static double unit(long hash) {
        return ((hash >>> 11) + 1) * UNIT;
    }
}
