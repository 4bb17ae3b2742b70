package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.http.HttpBytes;
import io.netty.buffer.ByteBuf;

/**
 * Reads the framing of a chunked body: sizes, extensions, line ends, and the trailer section, which is validated like a
 * head. The reader consumes framing byte by byte and delivers content without a copy. Like a head, the trailer section
 * stays in the buffer until it is complete, so that it counts against the memory budget.
 *
 * <p>Extensions must match the RFC's grammar. White space after a value and non-ASCII bytes in a quoted value are also
 * rejected, because some recipients reject them. Extensions are not forwarded. The number of bytes of sizes and
 * extensions is limited in proportion to the preceding content.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-7.1">RFC 9112, 7.1 Chunked Transfer Coding</a>
 */
final class ChunkReader {
    /** Result of a read. */
    enum Step {
        /** More bytes are required. */
        INCOMPLETE,
        /** Content is available: the caller reads it with {@link #content}. */
        CONTENT,
        /**
         * The content of the body has ended. The trailer section begins at the reader index and is
         * {@link #trailerLength()} bytes long.
         */
        OVER,
        /** The body is rejected; {@link #kind()} and {@link #detail()} return the reason. */
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

    /**
     * Number of bytes that sizes and extensions may occupy for each byte of content. In addition, they may occupy as
     * many bytes as the maximum size of a header section.
     */
    private static final int OVERHEAD_PER_BYTE = 16;
    /** The largest chunk size that most recipients can represent, in bytes. */
    private static final long LARGEST_CHUNK = Integer.MAX_VALUE;

    private final HeadScanner trailers;
    private final DecoderLimits limits;

    private State state = State.OVER;
    /**
     * While a chunk size is parsed, the value of its digits so far. While the content of the chunk is read, the number
     * of content bytes that are still to be read.
     */
    private long left;

    /** Number of bytes that sizes and extensions of this body may still occupy. */
    private long allowance;
    /** Length of the current line in bytes: a size with its extensions, including the CR. */
    private int line;

    private ErrorKind kind = ErrorKind.MALFORMED_REQUEST;
    private String detail = "";

    /**
     * Creates a reader for one body.
     *
     * @param fields scans the trailer section; no other object uses this scanner until the body ends
     */
    ChunkReader(HeadScanner fields, DecoderLimits limits) {
        this.trailers = fields;
        this.limits = limits;
    }

    void begin() {
        state = State.SIZE_START;
        left = 0;
        line = 0;
        allowance = limits.headerBytes();
    }

    /** Continues reading until content begins, the body ends, or no further byte is available. */
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
                state = malformed("the chunked body has too many bytes of chunk sizes and extensions");
            }
            if (state == State.BAD) {
                return Step.REFUSED;
            }
        }
        return Step.INCOMPLETE;
    }

    /** Returns the available content of a chunk, at least one byte. */
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

    /** Returns the length of the trailer section, including its final empty line, in bytes. */
    int trailerLength() {
        return trailers.position();
    }

    ErrorKind kind() {
        return kind;
    }

    /** Returns the reason for the rejection, without any received data. */
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
            case SIZE_LF -> b == '\n' ? afterSize() : malformed("a line with a chunk size does not end with CR and LF");
            case CONTENT_CR ->
                b == '\r' ? State.CONTENT_LF : malformed("the content of a chunk is longer than the chunk size");
            case CONTENT_LF -> b == '\n' ? State.SIZE_START : malformed("a chunk does not end with CR and LF");
            case CONTENT, TRAILERS, OVER, BAD -> throw new IllegalStateException(state.name());
        };
    }

    private State size(byte b) {
        int digit = Character.digit(b, 16);
        if (digit >= 0) {
            left = left * 16 + digit;
            return left <= LARGEST_CHUNK ? State.SIZE : malformed("a chunk size is out of range");
        }
        if (state == State.SIZE_START) {
            return malformed("a chunk does not begin with its size");
        }
        return HttpBytes.isBlank(b) ? State.BEFORE_SEMICOLON : afterValue(b);
    }

    /** Handles a byte after a size, a value or the end of a quoted value. */
    private State afterValue(byte b) {
        if (b == '\r') {
            return State.SIZE_LF;
        }
        return b == ';' ? State.NAME_START : malformed("an unexpected byte follows a chunk size or an extension value");
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
            // This state is separate, because token bytes may follow a token but not a quoted value.
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
        return HttpBytes.isBlank(b) ? ifBlank : malformed("an unexpected byte follows a chunk size");
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
