package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Stands between the bytes of a connection and Netty's decoder: a head is left in the buffer until a {@link HeadScanner}
 * has found it whole and beyond doubt, and Netty then parses it in one go. A head that is refused is never parsed, nor is
 * anything after it.
 */
final class HeadGate {
    /** Handed on instead of the message whose head was refused. @param kind what an adapter of requests answers */
    record Refused(ErrorKind kind, String detail) {}

    /** What chunk sizes, their extensions and trailers may take per byte of content, beyond what a header section may. */
    private static final int OVERHEAD_PER_BYTE = 16;

    private static final AsciiString CONTENT_LENGTH = HttpHeaderNames.CONTENT_LENGTH;

    private final HeadScanner scanner;
    private final DecoderLimits limits;
    private boolean atHead = true;
    private boolean refused;
    private long content;
    private long overhead;

    HeadGate(HeadScanner scanner, DecoderLimits limits) {
        this.scanner = scanner;
        this.limits = limits;
    }

    /** Whether the decoder may look at {@code buffer} now. */
    boolean admits(ByteBuf buffer, List<Object> out) {
        if (refused) {
            buffer.skipBytes(buffer.readableBytes());
            return false;
        }
        if (!atHead) {
            return true;
        }
        HeadScanner.Verdict verdict = scanner.scan(buffer);
        if (verdict == HeadScanner.Verdict.WHOLE && scanner.isHttp10() && lengths(buffer) > 1) {
            refuse(buffer, out, ErrorKind.MALFORMED_REQUEST, "more than one Content-Length field");
        } else if (verdict == HeadScanner.Verdict.WHOLE) {
            buffer.skipBytes(scanner.leadingBytes());
            atHead = false;
            content = 0;
            // The head itself is taken along; it has been measured already.
            overhead = -scanner.length();
        } else if (verdict == HeadScanner.Verdict.REFUSED) {
            refuse(buffer, out, scanner.kind(), scanner.detail());
        }
        return !atHead;
    }

    /**
     * How many Content-Length fields a whole head has. Of HTTP/1.0 Netty takes the first of several and forgets the others,
     * where whoever is before or behind us may take the last (RFC 9112, 6.3); of HTTP/1.1 it refuses them itself.
     */
    private int lengths(ByteBuf buffer) {
        int lengths = 0;
        int end = buffer.readerIndex() + scanner.leadingBytes() + scanner.length();
        int line = buffer.readerIndex();
        while (line < end) {
            if (isLength(buffer, line, end)) {
                lengths++;
            }
            line = buffer.indexOf(line, end, (byte) '\n') + 1;
        }
        return lengths;
    }

    private static boolean isLength(ByteBuf buffer, int line, int end) {
        int colon = line + CONTENT_LENGTH.length();
        return colon < end
                && buffer.getByte(colon) == ':'
                && CONTENT_LENGTH.contentEqualsIgnoreCase(
                        buffer.toString(line, CONTENT_LENGTH.length(), StandardCharsets.ISO_8859_1));
    }

    /**
     * To be told what the decoder has made of {@code taken} bytes: after the end of a message the next head begins, and a
     * body that is mostly chunk extensions, or whose trailers are more than a header section may be, is refused.
     */
    void decoded(ByteBuf buffer, int taken, List<Object> out) {
        Object last = out.isEmpty() ? null : out.get(out.size() - 1);
        if (last == LastHttpContent.EMPTY_LAST_CONTENT) {
            atHead = true;
            scanner.reset();
            return;
        }
        overhead += taken;
        if (last instanceof HttpContent piece) {
            int length = piece.content().readableBytes();
            content += length;
            overhead -= length;
        }
        if (last instanceof LastHttpContent end) {
            atHead = true;
            scanner.reset();
            if (end.trailingHeaders().size() > limits.headerCount()) {
                end.release();
                out.remove(out.size() - 1);
                refuse(buffer, out, ErrorKind.HEADERS_TOO_LARGE, "too many trailer fields");
            }
        } else if (overhead > limits.headerBytes() + OVERHEAD_PER_BYTE * content) {
            refuse(buffer, out, ErrorKind.MALFORMED_REQUEST, "a body that is mostly chunk extensions");
        }
    }

    private void refuse(ByteBuf buffer, List<Object> out, ErrorKind kind, String detail) {
        refused = true;
        buffer.skipBytes(buffer.readableBytes());
        out.add(new Refused(kind, detail));
    }
}
