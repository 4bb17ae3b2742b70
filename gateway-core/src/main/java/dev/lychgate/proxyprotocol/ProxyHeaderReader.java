package dev.lychgate.proxyprotocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads PROXY protocol headers of version 1 and version 2. Stateless: each call receives all bytes since the start of
 * the connection.
 *
 * @see <a href="https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt">The PROXY protocol</a>
 */
public final class ProxyHeaderReader {
    private static final byte[] TEXT = "PROXY ".getBytes(StandardCharsets.US_ASCII);

    private ProxyHeaderReader() {}

    /**
     * Reads the header at the start of {@code in} and leaves the following bytes unread.
     *
     * @return the header; null if it is incomplete, in which case nothing is read from {@code in}
     * @throws ProxyHeaderException if {@code in} is not the beginning of a valid header
     */
    public static @Nullable ProxyHeader read(ByteBuf in) throws ProxyHeaderException {
        if (begins(in, TEXT)) {
            return in.readableBytes() < TEXT.length ? null : TextHeader.read(in);
        }
        if (begins(in, BinaryHeader.SIGNATURE)) {
            return BinaryHeader.read(in);
        }
        throw new ProxyHeaderException(ProxyFault.MALFORMED, "the first bytes are not a PROXY protocol header");
    }

    /** Returns whether {@code in} begins with {@code expected}, or is a prefix of {@code expected}. */
    private static boolean begins(ByteBuf in, byte[] expected) {
        int most = Math.min(in.readableBytes(), expected.length);
        for (int i = 0; i < most; i++) {
            if (in.getByte(in.readerIndex() + i) != expected[i]) {
                return false;
            }
        }
        return true;
    }
}
