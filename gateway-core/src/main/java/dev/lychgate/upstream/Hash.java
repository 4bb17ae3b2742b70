package dev.lychgate.upstream;

/**
 * The hashes that requests and endpoints are placed by: the same on every loop, in every process and on every JDK, so that
 * several gateways, and a restarted one, agree. Not meant to withstand a client that chooses its key: such a client could
 * always choose the same key.
 */
final class Hash {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final double UNIT = 0x1.0p-53;

    private Hash() {}

    /** FNV-1a over the characters, mixed: FNV alone leaves the high bits of short texts alike. */
    static long of(CharSequence text) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return mix(hash);
    }

    /** Spreads every bit over all others (the finalizer of SplitMix64, a bijection). */
    static long mix(long bits) {
        long z = bits + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** A number in (0, 1], evenly spread. */
    static double unit(long hash) {
        return ((hash >>> 11) + 1) * UNIT;
    }
}
