package dev.lychgate.upstream;

import dev.lychgate.config.EmbeddedIpv4;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Hash functions for placing requests and endpoints, and for dividing requests between generations. The results are
 * equal on every loop, in every process and on every JDK, so all gateways agree, even after a restart. The functions
 * are not collision-resistant. A client gains nothing by collisions, because it could always send the same key instead.
 */
public final class Hash {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final double UNIT = 0x1.0p-53;

    private Hash() {}

    /** FNV-1a over the characters, mixed, because FNV alone leaves the high bits of short strings similar. */
    public static long of(CharSequence text) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return mix(hash);
    }

    /** Mixes every bit into all others (the finalizer of SplitMix64, a bijection). */
    public static long mix(long bits) {
        long z = bits + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Returns a number in (0, 1], uniformly distributed. */
    public static double unit(long hash) {
        return ((hash >>> 11) + 1) * UNIT;
    }

    /**
     * Hashes the part of an address that identifies a client: an IPv4 address, also if an IPv6 address {@linkplain
     * EmbeddedIpv4 contains} it; otherwise, the network of an IPv6 address, because hosts change the rest of the
     * address by themselves (RFC 8981).
     */
    public static long ofClient(InetAddress address) {
        if (address instanceof Inet4Address) {
            // The hash code consists of the 32 bits of the address; reading the bytes of the address would copy them.
            return mix(address.hashCode());
        }
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        long network = bytes.getLong();
        long host = bytes.getLong();
        return mix(EmbeddedIpv4.isIn(network, host) ? (int) host : network);
    }
}
