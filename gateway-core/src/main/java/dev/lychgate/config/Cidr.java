package dev.lychgate.config;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Arrays;

/**
 * A block of client addresses: {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or one address.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc4632">RFC 4632</a>
 */
public final class Cidr {
    private final byte[] network;
    private final int bits;

    private Cidr(byte[] network, int bits) {
        this.network = network;
        this.bits = bits;
    }

    /**
     * Reads a block such as {@code 10.0.0.0/8}, or one address.
     *
     * @throws IllegalArgumentException if the text is malformed; the message states the expected form
     */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        byte[] bytes = IpLiteral.parse(address);
        if (bytes == null) {
            throw new IllegalArgumentException("an address block such as 10.0.0.0/8 or 2001:db8::/32");
        }
        int max = bytes.length * 8;
        int prefix = max;
        if (slash >= 0) {
            prefix = prefix(text, slash + 1);
            if (prefix < 0 || prefix > max) {
                throw new IllegalArgumentException("a prefix length from 0 to " + max);
            }
        }
        for (int bit = prefix; bit < max; bit++) {
            if ((bytes[bit >> 3] & (0x80 >> (bit & 7))) != 0) {
                throw new IllegalArgumentException("an address with no bits set beyond /" + prefix);
            }
        }
        return new Cidr(bytes, prefix);
    }

    /**
     * Returns the number from {@code begin} to the end of {@code text}; -1 if these characters are not one to three
     * digits. Uses no regular expression, because address lists may contain many blocks.
     */
    private static int prefix(String text, int begin) {
        int length = text.length() - begin;
        int number = length < 1 || length > 3 ? -1 : 0;
        for (int i = begin; i < text.length() && number >= 0; i++) {
            char digit = text.charAt(i);
            number = digit >= '0' && digit <= '9' ? number * 10 + digit - '0' : -1;
        }
        return number;
    }

    /**
     * Returns whether this block contains {@code address}. An IPv4 block contains no IPv6 address, and an IPv6 block
     * contains no IPv4 address.
     */
    public boolean contains(InetAddress address) {
        return containsBytes(address.getAddress());
    }

    private boolean containsBytes(byte[] other) {
        if (other.length != network.length) {
            return false;
        }
        int whole = bits >> 3;
        if (!Arrays.equals(other, 0, whole, network, 0, whole)) {
            return false;
        }
        int rest = bits & 7;
        return rest == 0 || ((other[whole] ^ network[whole]) & (0xff00 >> rest) & 0xff) == 0;
    }

    /** Returns whether this block contains all addresses of {@code block}. */
    public boolean contains(Cidr block) {
        return block.bits >= bits && containsBytes(block.network);
    }

    /** Returns the 4 or 16 bytes of the first address. */
    public byte[] network() {
        return network.clone();
    }

    /** Returns the length of the prefix, in bits. */
    public int bits() {
        return bits;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Cidr c && c.bits == bits && Arrays.equals(c.network, network);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(network) * 31 + bits;
    }

    @Override
    public String toString() {
        return NetUtil.bytesToIpAddress(network) + "/" + bits;
    }
}
