package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/**
 * Stands between the bytes of a connection and Netty's decoder: a head is left in the buffer until a {@link HeadScanner}
 * has found it whole and beyond doubt, and Netty then parses it in one go. A head that is refused is never parsed, nor is
 * anything after it.
 */
final class HeadGate {
    /** Handed on instead of the message whose head was refused. @param kind what an adapter of requests answers */
    record Refused(ErrorKind kind, String detail) {}

    private final HeadScanner scanner;
    private boolean atHead = true;
    private boolean refused;

    HeadGate(HeadScanner scanner) {
        this.scanner = scanner;
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
        if (verdict == HeadScanner.Verdict.WHOLE) {
            buffer.skipBytes(scanner.leadingBytes());
            atHead = false;
        } else if (verdict == HeadScanner.Verdict.REFUSED) {
            refused = true;
            buffer.skipBytes(buffer.readableBytes());
            out.add(new Refused(scanner.kind(), scanner.detail()));
        }
        return !atHead;
    }

    /** To be told what the decoder has made of it: after the end of a message the next head begins. */
    void decoded(List<Object> out) {
        if (!out.isEmpty() && out.get(out.size() - 1) instanceof LastHttpContent) {
            atHead = true;
            scanner.reset();
        }
    }
}
