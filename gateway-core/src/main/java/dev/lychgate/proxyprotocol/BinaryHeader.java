package dev.lychgate.proxyprotocol;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes PROXY protocol headers of version 2, which consist of a signature, a command, a length, two
 * addresses, and type-length-value fields. The checksum is the only type-length-value field that is evaluated.
 */
final class BinaryHeader {
    static final byte[] SIGNATURE = {'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'};

    /** Maximum header size in bytes. The protocol permits 64 KiB; typical headers have a few hundred bytes. */
    static final int MOST = 4096;

    private static final int FIXED = SIGNATURE.length + 4;
    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;
    private static final int UNSPECIFIED = 0x00;
    private static final int TCP4 = 0x11;
    private static final int TCP6 = 0x21;
    private static final int UNIX = 0x31;
    private static final int CHECKSUM = 0x03;

    private BinaryHeader() {}

    static @Nullable ProxyHeader read(ByteBuf in) throws ProxyHeaderException {
        int begin = in.readerIndex();
        int there = in.readableBytes();
        if (there > SIGNATURE.length) {
            int command = in.getUnsignedByte(begin + SIGNATURE.length);
            if (command != LOCAL && command != PROXY) {
                throw malformed("the command is neither LOCAL nor PROXY of version 2");
            }
        }
        if (there < FIXED) {
            return null;
        }
        int length = FIXED + in.getUnsignedShort(begin + FIXED - 2);
        if (length > MOST) {
            throw new ProxyHeaderException(ProxyFault.TOO_LONG, "the header has " + length + " bytes");
        }
        if (there < length) {
            return null;
        }
        ByteBuf header = in.readSlice(length);
        if (header.getUnsignedByte(SIGNATURE.length) == LOCAL
                || header.getUnsignedByte(SIGNATURE.length + 1) == UNSPECIFIED) {
            // The connection carries no client of the proxy (LOCAL), or the address family is unspecified. The rest of
            // the header is skipped.
            return ProxyHeader.NOBODY;
        }
        return parse(header);
    }

    private static ProxyHeader parse(ByteBuf header) throws ProxyHeaderException {
        int family = header.getUnsignedByte(SIGNATURE.length + 1);
        int addresses = switch (family) {
            case TCP4 -> 12;
            case TCP6 -> 36;
            case UNIX -> 216;
            default -> throw malformed("the transport is not TCP over IPv4, TCP over IPv6 or a UNIX stream");
        };
        if (header.readableBytes() < FIXED + addresses) {
            throw malformed("the header is too short for its addresses");
        }
        checkFields(header, FIXED + addresses);
        if (family != TCP4 && family != TCP6) {
            return ProxyHeader.NOBODY;
        }
        int width = family == TCP4 ? 4 : 16;
        return new ProxyHeader(
                end(header, FIXED, width, FIXED + 2 * width), end(header, FIXED + width, width, FIXED + 2 * width + 2));
    }

    private static InetSocketAddress end(ByteBuf header, int address, int width, int port) {
        InetAddress ip = TextHeader.of(ByteBufUtil.getBytes(header, address, width));
        return new InetSocketAddress(ip, header.getUnsignedShort(port));
    }

    private static void checkFields(ByteBuf header, int first) throws ProxyHeaderException {
        int end = header.readableBytes();
        int at = first;
        while (at < end) {
            int value = at + 3;
            if (value > end || value + header.getUnsignedShort(at + 1) > end) {
                throw malformed("a field extends beyond the end of the header");
            }
            int length = header.getUnsignedShort(at + 1);
            if (header.getUnsignedByte(at) == CHECKSUM) {
                if (length != 4) {
                    throw malformed("the checksum does not have 4 bytes");
                }
                check(header, value);
            }
            at = value + length;
        }
    }

    /** Verifies the checksum of the whole header. For the computation, the bytes of the checksum itself are zero. */
    private static void check(ByteBuf header, int at) throws ProxyHeaderException {
        byte[] all = ByteBufUtil.getBytes(header);
        CRC32C sum = new CRC32C();
        sum.update(all, 0, at);
        sum.update(new byte[4], 0, 4);
        sum.update(all, at + 4, all.length - at - 4);
        if (sum.getValue() != header.getUnsignedInt(at)) {
            throw new ProxyHeaderException(ProxyFault.CHECKSUM, "the checksum does not match");
        }
    }

    private static ProxyHeaderException malformed(String detail) {
        return new ProxyHeaderException(ProxyFault.MALFORMED, detail);
    }

    static ByteBuf write(ProxyHeader header, ByteBufAllocator allocator) {
        InetSocketAddress source = header.source();
        ByteBuf out = allocator.buffer(FIXED + 36).writeBytes(SIGNATURE);
        if (source == null) {
            return out.writeByte(LOCAL).writeByte(UNSPECIFIED).writeShort(0);
        }
        InetSocketAddress destination = requireNonNull(header.destination());
        boolean v4 = source.getAddress() instanceof Inet4Address && destination.getAddress() instanceof Inet4Address;
        out.writeByte(PROXY).writeByte(v4 ? TCP4 : TCP6).writeShort(v4 ? 12 : 36);
        address(out, source, v4);
        address(out, destination, v4);
        return out.writeShort(source.getPort()).writeShort(destination.getPort());
    }

    private static void address(ByteBuf out, InetSocketAddress end, boolean v4) {
        byte[] bytes = end.getAddress().getAddress();
        if (!v4 && bytes.length == 4) {
            out.writeZero(10).writeShort(0xffff);
        }
        out.writeBytes(bytes);
    }
}
