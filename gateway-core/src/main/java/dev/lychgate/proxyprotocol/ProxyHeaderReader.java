package dev.lychgate.proxyprotocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads a header of either version. Stateless: it is given all that has come so far, and again when there is more.
 *
 * @see <a href="https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt">The PROXY protocol</a>
 */
public final class ProxyHeaderReader {
    private static final byte[] TEXT = "PROXY ".getBytes(StandardCharsets.US_ASCII);

    private ProxyHeaderReader() {}

    /**
     * Reads the header that {@code in} begins with, and leaves behind it what follows.
     *
     * @return null if there is less than a header; nothing has been read then
     * @throws ProxyHeaderException as soon as it can't become one
     */
    public static @Nullable ProxyHeader read(ByteBuf in) throws ProxyHeaderException {
        if (begins(in, TEXT)) {
            return in.readableBytes() < TEXT.length ? null : TextHeader.read(in);
        }
        if (begins(in, BinaryHeader.SIGNATURE)) {
            return BinaryHeader.read(in);
        }
        throw new ProxyHeaderException(ProxyFault.MALFORMED, "no header of the PROXY protocol");
    }

    /** Whether {@code in} begins with {@code expected}, or all of it is its beginning. */
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
