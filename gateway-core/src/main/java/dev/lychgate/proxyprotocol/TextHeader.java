package dev.lychgate.proxyprotocol;

import static java.util.Objects.requireNonNull;

import dev.lychgate.config.IpLiteral;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads and writes PROXY protocol headers of version 1, such as {@code PROXY TCP4 192.0.2.1 203.0.113.1 50000 443}. */
final class TextHeader {
    /** The maximum length of the header in version 1 of the protocol, including CR LF, in bytes. */
    static final int MOST = 107;

    private TextHeader() {}

    static @Nullable ProxyHeader read(ByteBuf in) throws ProxyHeaderException {
        int most = Math.min(in.readableBytes(), MOST);
        int end = in.indexOf(in.readerIndex(), in.readerIndex() + most, (byte) '\n');
        if (end < 0) {
            if (most == MOST) {
                throw new ProxyHeaderException(ProxyFault.TOO_LONG, "the line has more than 107 bytes");
            }
            return null;
        }
        int length = end + 1 - in.readerIndex();
        if (in.getByte(end - 1) != '\r') {
            throw malformed("the line does not end with CR LF");
        }
        String line = in.toString(in.readerIndex(), length - 2, StandardCharsets.ISO_8859_1);
        in.skipBytes(length);
        return parse(line);
    }

    private static ProxyHeader parse(String line) throws ProxyHeaderException {
        if (line.indexOf('\r') >= 0) {
            throw malformed("the line contains a CR before its end");
        }
        String[] parts = line.split(" ", -1);
        String family = parts[1];
        if (family.equals("UNKNOWN")) {
            // The rest of the line is ignored.
            return ProxyHeader.NOBODY;
        }
        boolean v4 = family.equals("TCP4");
        if ((!v4 && !family.equals("TCP6")) || parts.length != 6) {
            throw malformed("the line must contain UNKNOWN, or TCP4 or TCP6 with two addresses and two ports");
        }
        return new ProxyHeader(
                new InetSocketAddress(address(parts[2], v4), port(parts[4])),
                new InetSocketAddress(address(parts[3], v4), port(parts[5])));
    }

    private static InetAddress address(String text, boolean v4) throws ProxyHeaderException {
        byte[] bytes = (text.indexOf(':') < 0) == v4 ? IpLiteral.parse(text) : null;
        if (bytes == null) {
            throw malformed("an address is not of the given family");
        }
        return of(bytes);
    }

    /** Returns the address that consists of these bytes. An IPv4-mapped IPv6 address becomes an IPv4 address. */
    static InetAddress of(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(bytes.length + " bytes", e);
        }
    }

    private static int port(String text) throws ProxyHeaderException {
        int length = text.length();
        boolean plain = length >= 1 && length <= 5 && (length == 1 || text.charAt(0) != '0');
        int port = 0;
        for (int i = 0; plain && i < length; i++) {
            int digit = text.charAt(i) - '0';
            plain = digit >= 0 && digit <= 9;
            port = port * 10 + digit;
        }
        if (!plain || port > 65535) {
            throw malformed("a port is not a number from 0 to 65535");
        }
        return port;
    }

    private static ProxyHeaderException malformed(String detail) {
        return new ProxyHeaderException(ProxyFault.MALFORMED, detail);
    }

    static ByteBuf write(ProxyHeader header, ByteBufAllocator allocator) {
        InetSocketAddress source = header.source();
        if (source == null) {
            return line("PROXY UNKNOWN", allocator);
        }
        InetSocketAddress destination = requireNonNull(header.destination());
        boolean v4 = source.getAddress() instanceof Inet4Address && destination.getAddress() instanceof Inet4Address;
        return line(
                "PROXY " + (v4 ? "TCP4 " : "TCP6 ") + text(source, v4) + ' ' + text(destination, v4) + ' '
                        + source.getPort() + ' ' + destination.getPort(),
                allocator);
    }

    private static ByteBuf line(String line, ByteBufAllocator allocator) {
        return ByteBufUtil.writeAscii(allocator, line + "\r\n");
    }

    private static String text(InetSocketAddress end, boolean v4) {
        InetAddress address = end.getAddress();
        return (v4 || address instanceof Inet6Address ? "" : "::ffff:") + IpLiteral.text(address);
    }
}
