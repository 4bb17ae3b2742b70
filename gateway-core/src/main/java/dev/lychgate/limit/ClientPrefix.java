package dev.lychgate.limit;

import dev.lychgate.config.ClientsConfig;
import dev.lychgate.config.EmbeddedIpv4;
import io.netty.util.NetUtil;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The part of an address that identifies a client: by default the whole IPv4 address, or the network of an IPv6
 * address. The configuration may set other prefix lengths. An IPv6 address that {@linkplain EmbeddedIpv4 contains} an
 * IPv4 address counts as the IPv4 address.
 *
 * @param upper the upper half of the IPv6 address; 0 for IPv4
 * @param lower the lower half of the IPv6 address; for IPv4, the lower half of the IPv4-mapped IPv6 address
 * @param bits the length of the prefix; for IPv4, 0 to 32
 * @param isIpv4 whether the address is an IPv4 address
 */
public record ClientPrefix(long upper, long lower, int bits, boolean isIpv4) {
    private static final long MAPPED = 0xffff_0000_0000L;

    /** Returns the client to which {@code address} belongs. */
    public static ClientPrefix of(InetAddress address, ClientsConfig config) {
        if (address instanceof Inet4Address) {
            return ofIpv4(address.hashCode(), config.ipv4Prefix());
        }
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        long upper = bytes.getLong();
        long lower = bytes.getLong();
        if (EmbeddedIpv4.isIn(upper, lower)) {
            return ofIpv4((int) lower, config.ipv4Prefix());
        }
        int bits = config.ipv6Prefix();
        long upperMask = bits >= 64 ? -1L : -1L << (64 - bits);
        long lowerMask = bits <= 64 ? 0 : -1L << (128 - bits);
        return new ClientPrefix(upper & upperMask, lower & lowerMask, bits, false);
    }

    private static ClientPrefix ofIpv4(int address, int bits) {
        long mask = (-1L << (32 - bits)) & 0xffff_ffffL;
        return new ClientPrefix(0, MAPPED | (address & mask), bits, true);
    }

    /**
     * Returns a hash of this prefix. Clients cannot predict the hash.
     *
     * @param before the hash of the preceding parts of a key; 0 for the first part
     */
    public long hash(KeyedHash function, long before) {
        return function.of(isIpv4 ? before : function.of(before, upper), lower);
    }

    /**
     * Returns the address as text. If the prefix is shorter than the address, returns the block, such as {@code
     * 2001:db8::/64}.
     */
    @Override
    public String toString() {
        if (isIpv4) {
            String address = NetUtil.intToIpAddress((int) lower);
            return bits == 32 ? address : address + "/" + bits;
        }
        byte[] bytes = ByteBuffer.allocate(16).putLong(upper).putLong(lower).array();
        String address = NetUtil.bytesToIpAddress(bytes);
        return bits == 128 ? address : address + "/" + bits;
    }
}
