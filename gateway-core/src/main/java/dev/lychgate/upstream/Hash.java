package dev.lychgate.upstream;

import dev.lychgate.config.EmbeddedIpv4;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Hash functions for the distribution of requests among endpoints and between generations. The results are equal on
 * every event loop, in every process and on every JDK, so all gateways make the same decisions, even after a restart.
 * The functions are not collision-resistant. A client gains nothing from collisions, because it could as well send the
 * same key several times.
 */
public final class Hash {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final double UNIT = 0x1.0p-53;

    private Hash() {}

    /**
     * Returns the FNV-1a hash of the characters, mixed by {@link #mix}, because FNV-1a alone yields similar high bits
     * for short texts.
     */
    public static long of(CharSequence text) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return mix(hash);
    }

    /**
     * Mixes the bits, so that each bit of the result depends on all bits of the argument. This is the finalizer of
     * SplitMix64, a bijection.
     */
    public static long mix(long bits) {
        long z = bits + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Converts a hash to a uniformly distributed number in (0, 1]. */
    public static double unit(long hash) {
        return ((hash >>> 11) + 1) * UNIT;
    }

    /**
     * Hashes the part of an address that identifies a client. For an IPv4 address, this part is the whole address. For
     * an IPv6 address that {@linkplain EmbeddedIpv4 contains} an IPv4 address, this part is the IPv4 address. For any
     * other IPv6 address, this part is the network, because hosts change the rest of the address by themselves (RFC
     * 8981).
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
