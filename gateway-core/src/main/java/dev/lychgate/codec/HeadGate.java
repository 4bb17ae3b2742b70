package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the bytes of a connection and Netty's decoder: a head is left in the buffer until a {@link HeadScanner}
 * has found it whole and beyond doubt, and Netty then parses it in one go. Of a chunked body, Netty sees what a
 * {@link ChunkScanner} has seen before it. A message that is refused is not parsed any further, nor is anything after it;
 * nor is one of which the two think differently where it ends.
 */
final class HeadGate {
    /** Handed on instead of the message, or the rest of it, that was refused. @param kind what an adapter of requests answers */
    record Refused(ErrorKind kind, String detail) {}

    private static final AsciiString CONTENT_LENGTH = HttpHeaderNames.CONTENT_LENGTH;

    private final HeadScanner head;
    private final ChunkScanner chunks;
    private boolean atHead = true;
    private boolean chunked;
    private boolean forwardingFields;
    private boolean transferCoding;
    private boolean refused;
    private boolean fresh;

    HeadGate(HeadScanner head, DecoderLimits limits) {
        this.head = head;
        this.chunks = new ChunkScanner(head, limits);
    }

    /** Of the head that was admitted last, see {@link HeadScanner#mayHaveForwardingFields}. */
    boolean mayHaveForwardingFields() {
        return forwardingFields;
    }

    /** Whether the body that is being parsed is chunked: no other has trailers. */
    boolean isChunked() {
        return chunked;
    }

    /** Where the parts of the head are that has just been admitted; null if there is none, if it is asked again, or if nobody knows. */
    @Nullable
    HeadIndex takeIndex() {
        boolean first = fresh;
        fresh = false;
        return first ? head.index() : null;
    }

    /** How many bytes the head is long that was admitted last. */
    int headLength() {
        return head.length();
    }

    /** Whether the decoder may look at {@code buffer} now. */
    boolean admits(ByteBuf buffer, List<Object> out) {
        if (refused) {
            buffer.skipBytes(buffer.readableBytes());
        } else if (atHead) {
            readHead(buffer, out);
            return !atHead;
        } else if (chunked && !chunks.scan(buffer)) {
            refuse(buffer, out, chunks.kind(), chunks.detail());
        }
        return !refused && !(chunked && chunks.isAtOpenTrailers());
    }

    private void readHead(ByteBuf buffer, List<Object> out) {
        HeadScanner.Verdict verdict = head.scan(buffer);
        if (verdict == HeadScanner.Verdict.REFUSED) {
            refuse(buffer, out, head.kind(), head.detail());
        } else if (verdict == HeadScanner.Verdict.WHOLE && head.isHttp10() && lengths(buffer) > 1) {
            refuse(buffer, out, ErrorKind.MALFORMED_REQUEST, "more than one Content-Length field");
        } else if (verdict == HeadScanner.Verdict.WHOLE) {
            buffer.skipBytes(head.leadingBytes());
            atHead = false;
            fresh = true;
            chunked = false;
            forwardingFields = head.mayHaveForwardingFields();
            transferCoding = head.mayHaveTransferCoding();
        }
    }

    /**
     * How many Content-Length fields a whole head has. Of HTTP/1.0 Netty takes the first of several and forgets the others,
     * where whoever is before or behind us may take the last (RFC 9112, 6.3); of HTTP/1.1 it refuses them itself.
     */
    private int lengths(ByteBuf buffer) {
        int lengths = 0;
        int end = buffer.readerIndex() + head.leadingBytes() + head.length();
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

    /** To be told what the decoder has made of {@code taken} bytes: after the end of a message the next head begins. */
    void decoded(ByteBuf buffer, int taken, List<Object> out) {
        boolean inStep = !chunked || chunks.taken(taken);
        Object last = out.isEmpty() ? null : out.get(out.size() - 1);
        if (last == LastHttpContent.EMPTY_LAST_CONTENT || last instanceof LastHttpContent) {
            inStep = inStep && (!chunked || chunks.isOver());
            atHead = true;
            head.reset();
        } else if (transferCoding
                && last instanceof HttpMessage message
                && HttpUtil.isTransferEncodingChunked(message)) {
            chunked = true;
            chunks.begin();
        }
        if (!inStep) {
            if (last != null) {
                ReferenceCountUtil.release(out.remove(out.size() - 1));
            }
            refuse(buffer, out, ErrorKind.MALFORMED_REQUEST, "the body is not validly chunked");
        }
    }

    /** Nothing is parsed any more. */
    void discard() {
        refused = true;
    }

    private void refuse(ByteBuf buffer, List<Object> out, ErrorKind kind, String detail) {
        refused = true;
        buffer.skipBytes(buffer.readableBytes());
        out.add(new Refused(kind, detail));
    }
}
