package dev.lychgate.config;

import io.netty.util.NetUtil;
import org.jspecify.annotations.Nullable;

/**
 * Reads IP addresses in text. A decimal octet with a leading zero ({@code 010.0.0.1}) is refused: some readers take it
 * for an octal number, and two readers of one text must not see two addresses.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6943#section-3.1.1">RFC 6943, 3.1.1 IPv4 Addresses</a>
 */
public final class IpLiteral {
    private IpLiteral() {}

    /** The 4 or 16 bytes of the address in {@code text}, without brackets and zone; null if it is none. */
    public static byte @Nullable [] parse(String text) {
        boolean plain = text.indexOf('[') < 0 && text.indexOf('%') < 0 && !hasLeadingZero(text);
        return plain ? NetUtil.createByteArrayFromIpAddressString(text) : null;
    }

    /** Whether a decimal octet, of an IPv4 address or of one within an IPv6 address, begins with a zero and goes on. */
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
