package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.http.HttpBytes;
import io.netty.buffer.ByteBuf;

/**
 * Reads the framing of a chunked body: sizes, extensions, the ends of lines, and the trailer section, which is read as strictly
 * as a head. The framing is consumed byte by byte as it comes; content is passed on without a copy; the trailer section stays
 * in the buffer until it is whole, as a head does, so that the memory budget counts it.
 *
 * <p>Extensions are allowed as the RFC writes them, other than white space behind a value and bytes beyond ASCII in a quoted
 * one, which not every recipient reads; they are not passed on. What they and the sizes may take is bounded by
 * the content that came before them.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-7.1">RFC 9112, 7.1 Chunked Transfer Coding</a>
 */
final class ChunkReader {
    /** What is next. */
    enum Step {
        /** More bytes have to come. */
        INCOMPLETE,
        /** Content: the caller takes it by {@link #content}. */
        CONTENT,
        /** The end: the trailer section begins at the reader index and is {@link #trailerLength()} bytes long. */
        OVER,
        /** The body must not be read any further; {@link #kind()} and {@link #detail()} say why. */
        REFUSED
    }

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
    /** As much as most recipients can count. */
    private static final long LARGEST_CHUNK = Integer.MAX_VALUE;

    private final HeadScanner trailers;
    private final DecoderLimits limits;

    private State state = State.OVER;
    /** The size of the chunk, as far as it is known; then what is left of its content. */
    private long left;

    /** Bytes that sizes and extensions may still take. */
    private long allowance;
    /** Bytes of the line under way, a size and its extensions, with the CR that ends it. */
    private int line;

    private ErrorKind kind = ErrorKind.MALFORMED_REQUEST;
    private String detail = "";

    /** @param fields reads the trailer section; free for the use of this reader until the body is over */
    ChunkReader(HeadScanner fields, DecoderLimits limits) {
        this.trailers = fields;
        this.limits = limits;
    }

    /** A chunked body begins at the reader index. */
    void begin() {
        state = State.SIZE_START;
        left = 0;
        line = 0;
        allowance = limits.headerBytes();
    }

    /** Reads on, up to content, the end, or the last byte that has come. */
    Step read(ByteBuf in) {
        while (in.isReadable()) {
            if (state == State.CONTENT) {
                return Step.CONTENT;
            }
            if (state == State.TRAILERS) {
                return trailers(in);
            }
            state = step(in.readByte());
            line = isLineOver() ? 0 : line + 1;
            if (--allowance < 0 || line > limits.startLine() + 1) {
                state = malformed("a body that is mostly chunk extensions");
            }
            if (state == State.BAD) {
                return Step.REFUSED;
            }
        }
        return Step.INCOMPLETE;
    }

    /** Takes what has come of a chunk's content, at least one byte. */
    ByteBuf content(ByteBuf in) {
        int length = (int) Math.min(left, in.readableBytes());
        left -= length;
        allowance += (long) OVERHEAD_PER_BYTE * length;
        if (left == 0) {
            state = State.CONTENT_CR;
        }
        return in.readRetainedSlice(length);
    }

    private boolean isLineOver() {
        return state == State.SIZE_START || state == State.CONTENT || state == State.TRAILERS;
    }

    private Step trailers(ByteBuf in) {
        HeadScanner.Verdict verdict = trailers.scan(in);
        if (verdict == HeadScanner.Verdict.REFUSED) {
            state = refuse(trailers.kind(), trailers.detail());
            return Step.REFUSED;
        }
        if (verdict == HeadScanner.Verdict.INCOMPLETE) {
            return Step.INCOMPLETE;
        }
        state = State.OVER;
        return Step.OVER;
    }

    /** How long the trailer section is, with the empty line that ends it, in bytes. */
    int trailerLength() {
        return trailers.position();
    }

    ErrorKind kind() {
        return kind;
    }

    /** What was wrong, as a sentence that repeats nothing of what was sent. */
    String detail() {
        return detail;
    }

    private State step(byte b) {
        return switch (state) {
            case SIZE_START, SIZE -> size(b);
            case BEFORE_SEMICOLON -> blankOr(b, State.BEFORE_SEMICOLON, b == ';', State.NAME_START);
            case NAME_START -> blankOr(b, State.NAME_START, isToken(b), State.NAME);
            case NAME -> isToken(b) ? State.NAME : afterName(b, true);
            case AFTER_NAME -> HttpBytes.isBlank(b) ? State.AFTER_NAME : afterName(b, false);
            case VALUE_START -> b == '"' ? State.QUOTED : blankOr(b, State.VALUE_START, isToken(b), State.VALUE);
            case VALUE -> isToken(b) ? State.VALUE : afterValue(b);
            case QUOTED -> quoted(b);
            case QUOTED_END -> afterValue(b);
            case ESCAPED ->
                isQuotable(b) && b != ' ' ? State.QUOTED : malformed("a quoted chunk extension is not valid");
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
        if (state == State.SIZE_START) {
            return malformed("a chunk does not begin with its size");
        }
        return HttpBytes.isBlank(b) ? State.BEFORE_SEMICOLON : afterValue(b);
    }

    /** Behind a size, a value or the end of a quoted one. */
    private State afterValue(byte b) {
        if (b == '\r') {
            return State.SIZE_LF;
        }
        return b == ';' ? State.NAME_START : malformed("what follows a chunk size or a value is not an extension");
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
        return mayEnd && HttpBytes.isBlank(b) ? State.AFTER_NAME : malformed("a chunk extension is not valid");
    }

    private State quoted(byte b) {
        if (b == '"') {
            // What may follow a value may follow this, and a byte of a token may not.
            return State.QUOTED_END;
        }
        if (b == '\\') {
            return State.ESCAPED;
        }
        return isQuotable(b) ? State.QUOTED : malformed("a quoted chunk extension is not valid");
    }

    private static boolean isQuotable(byte b) {
        return HttpBytes.isText(b) && b >= 0;
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
        return HttpBytes.isBlank(b) ? ifBlank : malformed("what follows a chunk size is not an extension");
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
