package dev.lychgate.config;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes IP addresses as text. A decimal octet with a leading zero ({@code 010.0.0.1}) is refused. Some
 * parsers read such an octet as an octal number, so the text would denote different addresses.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6943#section-3.1.1">RFC 6943, 3.1.1 IPv4 Addresses</a>
 */
public final class IpLiteral {
    private static final int IPV4 = 4;

    private IpLiteral() {}

    /**
     * Returns the 4 or 16 bytes of the address in {@code text}. Returns null if the text is not an address, or contains
     * brackets or a zone.
     */
    public static byte @Nullable [] parse(String text) {
        if (text.indexOf('[') >= 0 || text.indexOf('%') >= 0 || hasLeadingZero(text)) {
            return null;
        }
        if (text.indexOf(':') < 0) {
            return NetUtil.createByteArrayFromIpAddressString(text);
        }
        String plain = text.indexOf('.') < 0 ? text : hexadecimal(text);
        return plain != null && NetUtil.isValidIpV6Address(plain)
                ? NetUtil.createByteArrayFromIpAddressString(plain)
                : null;
    }

    /**
     * Returns the address in {@code text} without its zone, such as {@code %eth0}; null if the text is not an address.
     */
    public static @Nullable InetAddress address(String text) {
        int zone = text.indexOf('%');
        boolean valid = zone < 0 || NetUtil.isValidIpV6Address(text);
        byte[] bytes = valid ? parse(zone < 0 ? text : text.substring(0, zone)) : null;
        try {
            return bytes == null ? null : InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an IP address has 4 or 16 bytes", e);
        }
    }

    /**
     * Writes {@code address} without a zone, which has no meaning on another machine. IPv6 addresses have the form of
     * RFC 5952. The gateway emits addresses only in this form, because other programs may compare them as text.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc5952#section-4">RFC 5952, 4 A Recommendation for IPv6 Text
     *     Representation</a>
     */
    public static String text(InetAddress address) {
        return NetUtil.toAddressString(address);
    }

    /**
     * Rewrites the dotted decimal end of an IPv6 address to hexadecimal. Netty would read an IPv4-compatible address
     * ({@code ::192.0.2.7}) as IPv4-mapped ({@code ::ffff:192.0.2.7}), which is a different address. Netty would also
     * refuse the address of a NAT64 translator ({@code 64:ff9b::192.0.2.7}).
     *
     * @return the rewritten address; null if the end is not an IPv4 address
     * @see <a href="https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5">RFC 4291, 2.5.5</a>
     */
    private static @Nullable String hexadecimal(String text) {
        int tail = text.lastIndexOf(':') + 1;
        byte[] v4 = NetUtil.createByteArrayFromIpAddressString(text.substring(tail));
        if (v4 == null || v4.length != IPV4) {
            return null;
        }
        return text.substring(0, tail) + group(v4[0], v4[1]) + ':' + group(v4[2], v4[3]);
    }

    private static String group(byte high, byte low) {
        return Integer.toHexString((high & 0xff) << 8 | (low & 0xff));
    }

    /**
     * Returns whether a decimal octet of an IPv4 address, or of the dotted part of an IPv6 address, has a leading zero.
     */
    private static boolean hasLeadingZero(String text) {
        int dot = text.indexOf('.');
        int octet = dot < 0 ? text.length() : text.lastIndexOf(':', dot) + 1;
        for (; octet < text.length(); octet = endOfOctet(text, octet) + 1) {
            if (text.charAt(octet) == '0' && endOfOctet(text, octet) > octet + 1) {
                return true;
            }
        }
        return false;
    }

    private static int endOfOctet(String text, int from) {
        int dot = text.indexOf('.', from);
        return dot < 0 ? text.length() : dot;
    }
}
