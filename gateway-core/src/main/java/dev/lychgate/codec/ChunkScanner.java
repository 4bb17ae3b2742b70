package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.http.HttpBytes;
import io.netty.buffer.ByteBuf;

/**
 * Looks at every byte of a chunked body's framing before the decoder behind it may: sizes, extensions, the ends of lines,
 * and the trailer section, which is read as strictly as a head. Content it passes over. It knows at every byte where
 * the message ends, so that a decoder that thinks otherwise is found out.
 *
 * <p>Extensions are allowed as the RFC writes them, and go no further; what they and the sizes may take is bounded by
 * the content that they frame.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-7.1">RFC 9112, 7.1 Chunked Transfer Coding</a>
 */
final class ChunkScanner {
    private enum State {
        SIZE_START,
        SIZE,
        BEFORE_SEMICOLON,
        NAME_START,
        NAME,
        AFTER_NAME,
        VALUE_START,
        VALUE,
        QUOTED,
        ESCAPED,
        QUOTED_END,
        SIZE_LF,
        CONTENT,
        CONTENT_CR,
        CONTENT_LF,
        TRAILERS,
        OVER,
        BAD
    }

    /** What sizes and extensions may take per byte of content, beyond what a header section may. */
    private static final int OVERHEAD_PER_BYTE = 16;
    /** As much as the decoder can count. */
    private static final long LARGEST_CHUNK = Integer.MAX_VALUE;

    private final HeadScanner trailers;
    private final DecoderLimits limits;

    private State state = State.OVER;
    /** Bytes from the reader index on that have been looked at and not yet been taken by the decoder. */
    private int ahead;
    /** The size of the chunk, as far as it is known; then what is left of its content. */
    private long left;

    private long content;
    private long overhead;
    private ErrorKind kind = ErrorKind.MALFORMED_REQUEST;
    private String detail = "";

    /** @param fields reads the trailer section; free for the use of this scanner until the body is over */
    ChunkScanner(HeadScanner fields, DecoderLimits limits) {
        this.trailers = fields;
        this.limits = limits;
    }

    /** A chunked body begins at the reader index. */
    void begin() {
        state = State.SIZE_START;
        ahead = 0;
        left = 0;
        content = 0;
        overhead = 0;
    }

    /** Looks at what has come since the last call. @return false if the body must not be parsed any further */
    boolean scan(ByteBuf in) {
        int at = in.readerIndex() + ahead;
        int end = in.writerIndex();
        while (at < end && state != State.OVER) {
            if (state == State.CONTENT) {
                at += content(end - at);
            } else if (state == State.TRAILERS) {
                at = trailers(in, at);
            } else {
                state = step(in.getByte(at++));
                overhead++;
            }
            if (state == State.BAD) {
                return false;
            }
        }
        ahead = at - in.readerIndex();
        return overhead <= limits.headerBytes() + OVERHEAD_PER_BYTE * content
                || refuse(ErrorKind.MALFORMED_REQUEST, "a body that is mostly chunk extensions") != State.BAD;
    }

    /** The decoder has taken {@code bytes}. @return false if that is more than have been looked at */
    boolean taken(int bytes) {
        ahead -= bytes;
        return ahead >= 0;
    }

    /** Whether the message ends where the decoder stands. */
    boolean isOver() {
        return state == State.OVER && ahead == 0;
    }

    ErrorKind kind() {
        return kind;
    }

    /** What was wrong, as a sentence that repeats nothing of what was sent. */
    String detail() {
        return detail;
    }

    private int content(int there) {
        int passed = (int) Math.min(left, there);
        content += passed;
        left -= passed;
        if (left == 0) {
            state = State.CONTENT_CR;
        }
        return passed;
    }

    /**
     * Whether the decoder stands at a trailer section that has not come whole. It is left in the buffer until then, as a head is: the
     * decoder would keep its fields on the heap, where no budget counts them.
     */
    boolean isAtOpenTrailers() {
        return state == State.TRAILERS && ahead == trailers.position();
    }

    private int trailers(ByteBuf in, int at) {
        int before = trailers.position();
        HeadScanner.Verdict verdict = trailers.scan(in, at);
        if (verdict == HeadScanner.Verdict.REFUSED) {
            state = refuse(trailers.kind(), trailers.detail());
        } else if (verdict == HeadScanner.Verdict.WHOLE) {
            state = State.OVER;
        }
        return at + trailers.position() - before;
    }

    private State step(byte b) {
        return switch (state) {
            case SIZE_START, SIZE -> size(b);
            case BEFORE_SEMICOLON -> blankOr(b, State.BEFORE_SEMICOLON, b == ';', State.NAME_START);
            case NAME_START -> blankOr(b, State.NAME_START, isToken(b), State.NAME);
            case NAME -> isToken(b) ? State.NAME : afterName(b, true);
            case AFTER_NAME -> isBlank(b) ? State.AFTER_NAME : afterName(b, false);
            case VALUE_START -> b == '"' ? State.QUOTED : blankOr(b, State.VALUE_START, isToken(b), State.VALUE);
            case VALUE -> isToken(b) ? State.VALUE : afterValue(b);
            case QUOTED -> quoted(b);
            case QUOTED_END -> afterValue(b);
            case ESCAPED -> HttpBytes.isText(b) ? State.QUOTED : malformed("a quoted chunk extension is not valid");
            case SIZE_LF -> b == '\n' ? afterSize() : malformed("a chunk size that does not end in CR and LF");
            case CONTENT_CR -> b == '\r' ? State.CONTENT_LF : malformed("a chunk that is longer than its size");
            case CONTENT_LF -> b == '\n' ? State.SIZE_START : malformed("a chunk that does not end in CR and LF");
            case CONTENT, TRAILERS, OVER, BAD -> throw new IllegalStateException(state.name());
        };
    }

    private State size(byte b) {
        int digit = Character.digit(b, 16);
        if (digit >= 0) {
            left = left * 16 + digit;
            return left <= LARGEST_CHUNK ? State.SIZE : malformed("a chunk larger than can be counted");
        }
        return state == State.SIZE ? afterValue(b) : malformed("a chunk does not begin with its size");
    }

    /** Behind a size, a value or the end of a quoted one. */
    private State afterValue(byte b) {
        if (b == '\r') {
            return State.SIZE_LF;
        }
        return blankOr(b, State.BEFORE_SEMICOLON, b == ';', State.NAME_START);
    }

    private State afterName(byte b, boolean mayEnd) {
        if (b == '=') {
            return State.VALUE_START;
        }
        if (b == ';') {
            return State.NAME_START;
        }
        if (mayEnd && b == '\r') {
            return State.SIZE_LF;
        }
        return mayEnd && isBlank(b) ? State.AFTER_NAME : malformed("a chunk extension is not valid");
    }

    private State quoted(byte b) {
        if (b == '"') {
            // What may follow a value may follow this, and a byte of a token may not.
            return State.QUOTED_END;
        }
        if (b == '\\') {
            return State.ESCAPED;
        }
        return HttpBytes.isText(b) ? State.QUOTED : malformed("a quoted chunk extension is not valid");
    }

    private State afterSize() {
        if (left > 0) {
            return State.CONTENT;
        }
        trailers.beginTrailers();
        return State.TRAILERS;
    }

    private State blankOr(byte b, State ifBlank, boolean otherwise, State then) {
        if (otherwise) {
            return then;
        }
        return isBlank(b) ? ifBlank : malformed("what follows a chunk size is not an extension");
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static boolean isToken(byte b) {
        return HttpBytes.isToken(b);
    }

    private State malformed(String what) {
        return refuse(ErrorKind.MALFORMED_REQUEST, what);
    }

    private State refuse(ErrorKind why, String what) {
        kind = why;
        detail = what;
        return State.BAD;
    }
}
