package dev.lychgate.http2;

import io.netty.buffer.ByteBuf;
import io.netty.util.AsciiString;

/**
 * The client connection preface.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-3.4">RFC 9113, 3.4 HTTP/2 Connection Preface</a>
 */
public final class Preface {
    static final AsciiString BYTES = AsciiString.cached("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

    private Preface() {}

    /** Returns the length in bytes. */
    public static int length() {
        return BYTES.length();
    }

    /** Returns whether the available bytes of {@code in} match the preface. */
    public static boolean mayBegin(ByteBuf in) {
        int n = Math.min(in.readableBytes(), BYTES.length());
        for (int i = 0; i < n; i++) {
            if (in.getByte(in.readerIndex() + i) != BYTES.byteAt(i)) {
                return false;
            }
        }
        return true;
    }
}
