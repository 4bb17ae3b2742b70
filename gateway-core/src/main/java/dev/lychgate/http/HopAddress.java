package dev.lychgate.http;

import dev.lychgate.config.IpLiteral;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Parses one entry of {@code X-Forwarded-For} or one node of {@code Forwarded}: an IPv4 or IPv6 address with an
 * optional port. An IPv6 address needs brackets only if a port follows. A zone identifier is dropped, because it has no
 * meaning on another machine. An IPv4-mapped IPv6 address becomes the IPv4 address.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7239#section-6">RFC 7239, 6 Node Identifiers</a>
 */
final class HopAddress {
    /** The maximum length of an entry in characters. No valid entry with a zone identifier and a port is longer. */
    private static final int LONGEST = 64;

    private HopAddress() {}

    /**
     * Returns the address, with port 0 if the entry has no port; null if the entry is not an address, such as
     * {@code unknown} or {@code _hidden}.
     */
    static @Nullable InetSocketAddress parse(String entry) {
        if (entry.isEmpty() || entry.length() > LONGEST) {
            return null;
        }
        if (entry.charAt(0) == '[') {
            int end = entry.indexOf(']');
            return end < 0 ? null : of(v6(entry.substring(1, end)), entry.substring(end + 1));
        }
        int colon = entry.indexOf(':');
        if (colon >= 0 && colon != entry.lastIndexOf(':')) {
            return of(v6(entry), "");
        }
        return colon < 0 ? of(v4(entry), "") : of(v4(entry.substring(0, colon)), entry.substring(colon));
    }

    private static @Nullable InetSocketAddress of(byte @Nullable [] address, String port) {
        int number = port(port);
        if (address == null || number < 0) {
            return null;
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address), number);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(address.length + " bytes", e);
        }
    }

    private static byte @Nullable [] v4(String text) {
        return NetUtil.isValidIpV4Address(text) ? IpLiteral.parse(text) : null;
    }

    private static byte @Nullable [] v6(String text) {
        int zone = text.indexOf('%');
        String address = zone < 0 ? text : text.substring(0, zone);
        boolean valid = zone < 0 || text.substring(zone).matches("%[A-Za-z0-9._~%-]+");
        return valid && address.indexOf(':') >= 0 ? IpLiteral.parse(address) : null;
    }

    /**
     * Returns the port; 0 if there is no port, or if the port is obfuscated and has no number; -1 if the port is
     * malformed.
     */
    private static int port(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        if (text.matches(":_[A-Za-z0-9._-]+")) {
            return 0;
        }
        int port = text.matches(":[0-9]{1,5}") ? Integer.parseInt(text.substring(1)) : -1;
        return port <= 65535 ? port : -1;
    }
}
