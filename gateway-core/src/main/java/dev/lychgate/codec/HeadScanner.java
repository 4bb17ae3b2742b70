package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.http.ForwardingFields;
import dev.lychgate.http.HttpBytes;
import dev.lychgate.http.Methods;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/**
 * Validates every byte of a message head before the head is parsed. Accepts only the syntax that RFC 9112 permits
 * senders to use, so no two parsers can interpret an accepted head differently. The scanner also rejects heads that the
 * RFC permits recipients to repair: heads with a bare LF, a folded line, or white space before a colon.
 *
 * <p>The head may arrive in fragments of any size. The scanner rejects the head at the first invalid byte. It enforces
 * the {@link DecoderLimits} while the head arrives, so a complete head needs no further check of its size. The scanner
 * validates only characters and lines; other classes interpret the fields.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-2.2">RFC 9112, 2.2 Message Parsing</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-5">RFC 9112, 5 Field Syntax</a>
 */
final class HeadScanner {
    /** Result of a scan. */
    enum Verdict {
        /** All bytes received so far are valid; the head is incomplete. */
        INCOMPLETE,
        /** The head is complete and valid. */
        WHOLE,
        /** The head is invalid and must not be parsed. */
        REFUSED
    }

    /**
     * Maximum number of empty lines that are skipped before a request, because old clients send an empty line after a
     * body.
     */
    private static final int LEADING_LINES = 4;

    private static final int FORWARDING_NAMES = bits(ForwardingFields.FIRST_LETTERS);

    /** The result of a step that has rejected the head. Steps that accept their bytes return an index. */
    private static final int REFUSED = -1;

    private static final byte[] VERSION = {'H', 'T', 'T', 'P', '/'};
    private static final int VERSION_LENGTH = 8;
    private static final int WINDOW_SIZE = 4096;
    /**
     * Size of the first copy, in bytes. The size is sufficient for most heads, and small enough to copy few of the
     * bytes that follow the head.
     */
    private static final int FIRST_WINDOW = 768;
    /**
     * Array to which fragments of heads are copied, because reading an array is several times cheaper than reading a
     * buffer byte by byte.
     */
    private static final FastThreadLocal<byte[]> WINDOW = new FastThreadLocal<>() {
        @Override
        protected byte[] initialValue() {
            return new byte[WINDOW_SIZE];
        }
    };

    private enum State {
        LEADING,
        LEADING_LF,
        METHOD,
        TARGET,
        REQUEST_VERSION,
        RESPONSE_VERSION,
        STATUS,
        REASON,
        START_LINE_LF,
        FIELD_START,
        NAME,
        VALUE,
        FIELD_LF,
        END_LF,
        OVER
    }

    private final boolean request;
    private final DecoderLimits limits;
    /** The window of the event loop on which this scanner was created, see {@link #WINDOW}. */
    private final byte[] window = WINDOW.get();

    private State state;
    /** Number of validated bytes of the head. */
    private int position;
    /**
     * Number of bytes of the current element that have been read. An element is the method, target, version, status or
     * name.
     */
    private int within;

    private int leadingLines;
    /** Start of the current section: the start line, or the first field. */
    private int sectionStart;

    private boolean inFields;

    private int fields;
    /**
     * Bit mask of the first letters of field names, regardless of their case. Some characters that are not letters have
     * the same bit as a letter.
     */
    private int firstLetters;

    /** Positions of the parts of the head. */
    private final HeadIndex index = HeadIndex.ofThread();
    /**
     * True if the whole head was scanned in one call. Otherwise, the index is invalid, because other scanners may have
     * used the index between the calls.
     */
    private boolean indexed;
    /**
     * The position at which the line of the current header field begins. The variable {@code colon} contains the
     * position of the colon in this line. Both variables are used only if the header field is scanned in steps.
     */
    private int line;

    private int colon;

    private ErrorKind kind = ErrorKind.MALFORMED_REQUEST;
    private String detail = "";

    private HeadScanner(boolean request, DecoderLimits limits) {
        this.request = request;
        this.limits = limits;
        this.state = start();
    }

    private static int bits(String letters) {
        return letters.chars().map(letter -> 1 << letter).reduce(0, (a, b) -> a | b);
    }

    static HeadScanner ofRequests(DecoderLimits limits) {
        return new HeadScanner(true, limits);
    }

    static HeadScanner ofResponses(DecoderLimits limits) {
        return new HeadScanner(false, limits);
    }

    private State start() {
        return request ? State.LEADING : State.RESPONSE_VERSION;
    }

    void reset() {
        begin(start());
    }

    /** Resets the scanner for a trailer section, which has fields and no start line. */
    void beginTrailers() {
        begin(State.FIELD_START);
        inFields = true;
    }

    private void begin(State first) {
        state = first;
        position = 0;
        within = 0;
        leadingLines = 0;
        sectionStart = 0;
        inFields = false;
        fields = 0;
        firstLetters = 0;
    }

    /**
     * Returns the kind of the error. Meaningful only for requests, because all errors in responses have the same kind.
     */
    ErrorKind kind() {
        return kind;
    }

    /** Returns the reason for the rejection, without any received data. */
    String detail() {
        return detail;
    }

    /** Returns the number of validated bytes of the head or trailer section. */
    int position() {
        return position;
    }

    /** Returns the length of a complete head, without {@link #leadingBytes()}. */
    int length() {
        return position - leadingBytes();
    }

    /**
     * Returns whether headers may exist that only a proxy may set, for example {@code X-Forwarded-For} or {@code
     * Forwarded}. For most heads, the result is false, and no lookup of these headers is necessary. The result is valid
     * as soon as the head is complete.
     */
    boolean mayHaveForwardingFields() {
        return (firstLetters & FORWARDING_NAMES) != 0;
    }

    private void noteName(byte first) {
        firstLetters |= 1 << first;
    }

    /**
     * Returns the index of a complete head; null if the head arrived in fragments. The index is valid until the next
     * scan.
     */
    @Nullable
    HeadIndex index() {
        return indexed ? index : null;
    }

    /** Returns the number of bytes to skip before the start line; valid as soon as the head is complete. */
    int leadingBytes() {
        return leadingLines * 2;
    }

    /**
     * Validates the bytes that arrived since the last call. The head begins at the reader index and stays there until
     * it is complete; the indices of {@code in} do not change.
     */
    Verdict scan(ByteBuf in) {
        return scan(in, in.readerIndex() + position);
    }

    /** Validates the bytes of {@code in} from the index {@code start}, which follow the bytes of the last call. */
    Verdict scan(ByteBuf in, int start) {
        indexed = position == 0;
        if (indexed) {
            index.begin();
        }
        int from = start;
        int left = in.writerIndex() - from;
        while (left > 0 && state != State.OVER) {
            int length = Math.min(left, from == start ? FIRST_WINDOW : WINDOW_SIZE);
            in.getBytes(from, window, 0, length);
            int taken = take(window, length);
            if (taken < 0) {
                return Verdict.REFUSED;
            }
            position += taken;
            from += taken;
            left -= taken;
        }
        if (state == State.OVER) {
            return Verdict.WHOLE;
        }
        // In this state, only the LF of the start line is missing, and the length of the line has already been checked.
        boolean growing = state != State.START_LINE_LF;
        return !growing || isWithinLimits(position) ? Verdict.INCOMPLETE : Verdict.REFUSED;
    }

    /** Returns whether the current section is within its limit if the head extends to {@code end}. */
    private boolean isWithinLimits(int end) {
        int length = end - sectionStart;
        if (!inFields && length > limits.startLine()) {
            refuse(ErrorKind.URI_TOO_LONG, "the start line is too long");
            return false;
        }
        if (inFields && length > limits.headerBytes()) {
            refuse(ErrorKind.HEADERS_TOO_LARGE, "the header section is too large");
            return false;
        }
        return true;
    }

    /**
     * Validates {@code length} bytes. If possible, a step calls the next step directly. The state records the step that
     * continues when further bytes arrive.
     *
     * @return number of bytes that belong to the head; negative if a byte is invalid
     */
    private int take(byte[] bytes, int length) {
        int i = 0;
        while (i >= 0 && i < length && state != State.OVER) {
            i = switch (state) {
                case LEADING, LEADING_LF -> leading(bytes, i, length);
                case METHOD -> method(bytes, i, length);
                case TARGET -> target(bytes, i, length);
                case REQUEST_VERSION -> requestVersion(bytes, i, length);
                case RESPONSE_VERSION -> responseVersion(bytes, i, length);
                case STATUS -> status(bytes, i, length);
                case REASON -> reason(bytes, i, length);
                case FIELD_START -> fieldStart(bytes, i, length);
                case NAME -> name(bytes, i, length);
                case VALUE -> value(bytes, i, length);
                case START_LINE_LF, FIELD_LF, END_LF -> lineFeed(bytes, i, length);
                case OVER -> i;
            };
        }
        return i;
    }

    // ---- start lines

    private int leading(byte[] bytes, int i, int length) {
        byte b = bytes[i];
        if (state == State.LEADING_LF) {
            if (b != '\n' || ++leadingLines > LEADING_LINES) {
                return refuse(ErrorKind.MALFORMED_REQUEST, "the request does not begin with a method");
            }
            sectionStart += 2;
            state = State.LEADING;
            return i + 1;
        }
        if (b == '\r') {
            state = State.LEADING_LF;
            return i + 1;
        }
        state = State.METHOD;
        index.startLine(position + i);
        return method(bytes, i, length);
    }

    private int method(byte[] bytes, int from, int length) {
        int i = HttpBytes.endOfToken(bytes, from, length);
        within += i - from;
        if (within > Methods.LONGEST) {
            return refuse(ErrorKind.NOT_IMPLEMENTED, "the method is too long");
        }
        if (i == length) {
            return i;
        }
        if (bytes[i] != ' ' || within == 0) {
            return refuse(ErrorKind.MALFORMED_REQUEST, "the request line does not begin with a method and one space");
        }
        index.firstSpace(position + i);
        next(State.TARGET);
        return target(bytes, i + 1, length);
    }

    private int target(byte[] bytes, int from, int length) {
        int i = HttpBytes.endOfVisible(bytes, from, length);
        within += i - from;
        if (i == length) {
            return i;
        }
        if (bytes[i] != ' ' || within == 0) {
            return refuse(
                    ErrorKind.MALFORMED_REQUEST,
                    "the request line must be a method, a target and a version, separated by single spaces");
        }
        index.secondSpace(position + i);
        next(State.REQUEST_VERSION);
        return requestVersion(bytes, i + 1, length);
    }

    /** Scans {@code HTTP/1.1} and the end of the line. */
    private int requestVersion(byte[] bytes, int from, int length) {
        int i = version(bytes, from, length);
        if (i == REFUSED || (i < length && bytes[i] != '\r')) {
            return refuse(ErrorKind.MALFORMED_REQUEST, "the request line does not end with an HTTP version");
        }
        return i == length ? i : endOfStartLine(bytes, i, length);
    }

    /** Scans {@code HTTP/1.1} and one space. */
    private int responseVersion(byte[] bytes, int from, int length) {
        int i = version(bytes, from, length);
        if (i == REFUSED || (i < length && bytes[i] != ' ')) {
            return refuse(ErrorKind.MALFORMED_RESPONSE, "the response does not begin with an HTTP status line");
        }
        if (i == length) {
            return i;
        }
        next(State.STATUS);
        return status(bytes, i + 1, length);
    }

    /**
     * Scans the available part of the version.
     *
     * @return the end of the scanned part, or {@link #REFUSED}
     */
    private int version(byte[] bytes, int from, int length) {
        int i = from;
        while (within < VERSION_LENGTH && i < length) {
            if (!isVersionAt(within++, bytes[i++])) {
                return REFUSED;
            }
        }
        return i;
    }

    private static boolean isVersionAt(int at, byte b) {
        return switch (at) {
            case 0, 1, 2, 3, 4 -> b == VERSION[at];
            case 6 -> b == '.';
            default -> HttpBytes.isDigit(b);
        };
    }

    /**
     * Scans three digits, optionally followed by a space and a reason phrase. The space is optional, because many
     * servers omit it together with the phrase.
     */
    private int status(byte[] bytes, int from, int length) {
        int i = from;
        while (within < 3 && i < length && HttpBytes.isDigit(bytes[i])) {
            within++;
            i++;
        }
        if (i == length) {
            return i;
        }
        if (within == 3 && bytes[i] == ' ') {
            index.secondSpace(position + i);
            next(State.REASON);
            return reason(bytes, i + 1, length);
        }
        if (within == 3 && bytes[i] == '\r') {
            return endOfStartLine(bytes, i, length);
        }
        return refuse(ErrorKind.MALFORMED_RESPONSE, "the status is not three digits");
    }

    private int reason(byte[] bytes, int from, int length) {
        int i = HttpBytes.endOfText(bytes, from, length);
        if (i == length) {
            return i;
        }
        if (bytes[i] != '\r') {
            return refuse(ErrorKind.MALFORMED_RESPONSE, "the reason phrase contains a control byte");
        }
        return endOfStartLine(bytes, i, length);
    }

    private int endOfStartLine(byte[] bytes, int i, int length) {
        if (!isWithinLimits(position + i)) {
            return REFUSED;
        }
        index.endOfStartLine(position + i);
        state = State.START_LINE_LF;
        return lineFeed(bytes, i + 1, length);
    }

    // ---- fields

    private int fieldStart(byte[] bytes, int from, int length) {
        int i = wholeFields(bytes, from, length);
        if (i == length) {
            return i;
        }
        byte b = bytes[i];
        if (b == '\r') {
            state = State.END_LF;
            return lineFeed(bytes, i + 1, length);
        }
        if (b == ' ' || b == '\t') {
            return refuseField("a header line is folded (begins with a space or a tab)");
        }
        if (++fields > limits.headerCount()) {
            return refuse(ErrorKind.HEADERS_TOO_LARGE, "the message has too many header fields");
        }
        noteName(b);
        line = position + i;
        next(State.NAME);
        return i;
    }

    /**
     * Scans complete and regular field lines, which are the common case, without a separate step for each part. This
     * method rejects nothing: it stops at the first irregular or incomplete line, which the separate steps then
     * validate.
     */
    private int wholeFields(byte[] bytes, int from, int length) {
        int line = from;
        int allowed = limits.headerCount();
        while (fields < allowed) {
            int colon = HttpBytes.endOfToken(bytes, line, length);
            if (colon == line || colon == length || bytes[colon] != ':') {
                break;
            }
            int end = HttpBytes.endOfText(bytes, colon + 1, length);
            if (length - end < 2 || bytes[end] != '\r' || bytes[end + 1] != '\n') {
                break;
            }
            fields++;
            noteName(bytes[line]);
            index.field(position + line, position + colon, position + end);
            line = end + 2;
        }
        return line;
    }

    private int name(byte[] bytes, int from, int length) {
        int i = HttpBytes.endOfToken(bytes, from, length);
        within += i - from;
        if (i == length) {
            return i;
        }
        if (bytes[i] != ':' || within == 0) {
            return refuseField("a header line does not begin with a name and a colon");
        }
        colon = position + i;
        state = State.VALUE;
        return i + 1;
    }

    private int value(byte[] bytes, int from, int length) {
        int i = HttpBytes.endOfText(bytes, from, length);
        if (i == length) {
            return i;
        }
        if (bytes[i] != '\r') {
            return refuseField(
                    bytes[i] == '\n'
                            ? "a header line ends with LF instead of CR and LF"
                            : "a header field contains a control byte");
        }
        index.field(line, colon, position + i);
        state = State.FIELD_LF;
        return lineFeed(bytes, i + 1, length);
    }

    private int lineFeed(byte[] bytes, int i, int length) {
        if (i == length) {
            return i;
        }
        if (bytes[i] != '\n') {
            return refuseField("a CR is not followed by LF");
        }
        if (state == State.END_LF) {
            if (!isWithinLimits(position + i + 1)) {
                return REFUSED;
            }
            state = State.OVER;
            return i + 1;
        }
        if (state == State.START_LINE_LF) {
            sectionStart = position + i + 1;
            inFields = true;
        }
        state = State.FIELD_START;
        return i + 1;
    }

    private void next(State following) {
        state = following;
        within = 0;
    }

    private int refuseField(String what) {
        return refuse(request ? ErrorKind.MALFORMED_REQUEST : ErrorKind.MALFORMED_RESPONSE, what);
    }

    private int refuse(ErrorKind why, String what) {
        kind = why;
        detail = what;
        return REFUSED;
    }
}
