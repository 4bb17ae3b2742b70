package dev.lychgate.exchange.filtering.items;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BodyPart;
import dev.lychgate.filter.BodyRefusal;
import dev.lychgate.filter.BodyTransform;
import dev.lychgate.filter.MultipartLimits;
import dev.lychgate.http.Parameters;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Splits a multipart/form-data body into parts. The transform holds the header section of a part, and bytes that may be
 * the beginning of a delimiter; all other content is streamed. The result does not depend on chunk boundaries.
 *
 * <p>The parser is strict, because recipients interpret preambles, lines without CR, and boundaries with a suffix
 * differently. If such bodies were accepted, a part that no filter has processed could reach the origin.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1">RFC 2046, 5.1.1 Common Syntax</a>
 */
final class Multipart implements BodyTransform {
    private static final byte[] HEADER_END = {'\r', '\n', '\r', '\n'};
    private static final String SYMBOLS = "'()+_,-./:=? ";
    private static final int LONGEST_BOUNDARY = 70;

    /** The maximum number of held bytes that do not count against the memory budget. */
    private static final int UNCOUNTED = 4096;

    /** The position between two bytes of the body. */
    private enum At {
        START,
        AFTER_DELIMITER,
        HEADER,
        /** Directly after the header section, where some recipients would treat a boundary as a delimiter. */
        CONTENT_START,
        CONTENT,
        EPILOGUE
    }

    private final MultipartLimits limits;
    private final Consumer<? super BodyPart> action;
    /** CRLF, two hyphens and the boundary. The first delimiter of a body has no CRLF. */
    private final byte[] delimiter;

    private At at = At.START;
    private byte[] held = {};
    private int from;
    /** The number of bytes from {@link #from} on that have been searched for the end of the header section. */
    private int scanned;

    private long received;
    private int parts;
    private boolean sentPart;
    private boolean dropped;
    private @Nullable BodyTransform content;
    private boolean hasMore;

    /**
     * Creates a parser for one body.
     *
     * @throws BodyRefusal if the type is not multipart/form-data with a boundary
     */
    Multipart(List<String> contentTypes, MultipartLimits limits, Consumer<? super BodyPart> action) {
        this.limits = limits;
        this.action = action;
        this.delimiter = ("\r\n--" + boundary(contentTypes)).getBytes(StandardCharsets.US_ASCII);
    }

    private static String boundary(List<String> contentTypes) {
        String boundary = null;
        try {
            Parameters type = Parameters.of(contentTypes.size() == 1 ? contentTypes.get(0) : "");
            boundary = type.value().equals("multipart/form-data") ? type.all().get("boundary") : null;
        } catch (IllegalArgumentException e) {
            // A malformed type is treated like a type without a boundary.
        }
        if (boundary == null
                || boundary.isEmpty()
                || boundary.length() > LONGEST_BOUNDARY
                || boundary.endsWith(" ")
                || !boundary.chars().allMatch(Multipart::isOfBoundary)) {
            throw malformed("is not multipart/form-data with a boundary");
        }
        return boundary;
    }

    private static boolean isOfBoundary(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || SYMBOLS.indexOf(c) >= 0;
    }

    @Override
    public byte[] piece(byte[] piece) {
        received += piece.length;
        if (received > limits.total()) {
            throw tooLarge("is longer than " + limits.total() + " bytes");
        }
        int rest = held.length - from;
        byte[] both = rest == 0 ? piece : Arrays.copyOfRange(held, from, held.length + piece.length);
        if (rest > 0) {
            System.arraycopy(piece, 0, both, rest, piece.length);
        }
        held = both;
        from = 0;
        return pass();
    }

    @Override
    public boolean hasMore() {
        return hasMore;
    }

    @Override
    public byte[] more() {
        return pass();
    }

    @Override
    public byte[] end() {
        if (at != At.EPILOGUE || (held.length > from && !startsWith("\r\n"))) {
            throw malformed("ends within a part");
        }
        return Arrays.copyOfRange(held, from, held.length);
    }

    @Override
    public long heldMemory() {
        BodyTransform of = content;
        int rest = held.length - from;
        return (rest > UNCOUNTED ? rest : 0) + (of == null ? 0 : of.heldMemory());
    }

    @Override
    public long nativeMemory() {
        BodyTransform of = content;
        return of == null ? 0 : of.nativeMemory();
    }

    @Override
    public void close() {
        endContent();
    }

    private void endContent() {
        BodyTransform of = content;
        content = null;
        if (of != null) {
            of.close();
        }
    }

    /**
     * Processes complete elements, until an element is incomplete, or until the transform of a part has more output for
     * a later call.
     */
    private byte[] pass() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean goesOn;
        do {
            BodyTransform of = content;
            goesOn = (of != null && of.hasMore()) ? more(of, out) : step(out);
            // The loop continues while there is no output, because a call must return output if more output follows.
        } while (goesOn && (out.size() == 0 || content == null || !content.hasMore()));
        hasMore = goesOn;
        if (!hasMore) {
            // The rest is copied, because a reference to the chunk would keep the whole chunk in memory.
            held = Arrays.copyOfRange(held, from, held.length);
            from = 0;
        }
        return out.toByteArray();
    }

    private boolean more(BodyTransform of, ByteArrayOutputStream out) {
        byte[] more = of.more();
        if (more.length == 0 && of.hasMore()) {
            throw new IllegalStateException(
                    "the transform of a part returned no bytes from more(), but hasMore() still returns true");
        }
        write(more, out);
        return true;
    }

    /**
     * Processes the next element.
     *
     * @return false if the element is incomplete
     */
    private boolean step(ByteArrayOutputStream out) {
        return switch (at) {
            case START -> start();
            case AFTER_DELIMITER -> afterDelimiter(out);
            case HEADER -> header(out);
            case CONTENT_START -> contentStart();
            case CONTENT -> content(out);
            case EPILOGUE -> epilogue();
        };
    }

    private boolean start() {
        int same = sameAsBoundary();
        if (same < delimiter.length - 2) {
            if (same < held.length - from) {
                throw malformed("does not begin with its boundary");
            }
            return false;
        }
        from += same;
        at = At.AFTER_DELIMITER;
        return true;
    }

    private boolean contentStart() {
        int same = sameAsBoundary();
        if (same == delimiter.length - 2) {
            throw malformed("has a line that begins with its boundary and is malformed");
        }
        if (same == held.length - from) {
            return false;
        }
        at = At.CONTENT;
        return true;
    }

    /**
     * Compares the next bytes with a delimiter without its leading line break. Returns the number of equal bytes at the
     * beginning.
     */
    private int sameAsBoundary() {
        int to = Math.min(held.length, from + delimiter.length - 2);
        int same = Arrays.mismatch(held, from, to, delimiter, 2, delimiter.length);
        return same < 0 ? delimiter.length - 2 : same;
    }

    private boolean afterDelimiter(ByteArrayOutputStream out) {
        if (held.length - from < 2) {
            return false;
        }
        if (startsWith("\r\n")) {
            at = At.HEADER;
            scanned = 0;
            if (++parts > limits.parts()) {
                throw tooLarge("has more than " + limits.parts() + " parts");
            }
        } else if (startsWith("--")) {
            at = At.EPILOGUE;
            delimiter(out);
            out.write(held, from, 2);
        } else {
            throw malformed("has a line that begins with its boundary");
        }
        from += 2;
        return true;
    }

    private boolean startsWith(String two) {
        return held.length - from >= 2 && held[from] == two.charAt(0) && held[from + 1] == two.charAt(1);
    }

    private void delimiter(ByteArrayOutputStream out) {
        int skipped = sentPart ? 0 : 2;
        out.write(delimiter, skipped, delimiter.length - skipped);
        sentPart = true;
    }

    private boolean header(ByteArrayOutputStream out) {
        int end = indexOf(HEADER_END, 0, from + Math.max(0, scanned - 3));
        int length = (end < 0 ? held.length : end) - from;
        if (length > limits.header()) {
            throw tooLarge("has a part with a header of more than " + limits.header() + " bytes");
        }
        if (end < 0) {
            scanned = length;
            return false;
        }
        Part part;
        try {
            part = Part.of(held, from, end);
        } catch (IllegalArgumentException e) {
            throw malformed("has a malformed part " + parts + ": " + e.getMessage());
        }
        action.accept(part);
        dropped = part.isDropped();
        content = part.transform();
        if (!dropped) {
            delimiter(out);
            out.write('\r');
            out.write('\n');
            byte[] changed = part.changedHeader();
            out.writeBytes(changed == null ? Arrays.copyOfRange(held, from, end) : changed);
            out.writeBytes(HEADER_END);
        }
        from = end + HEADER_END.length;
        at = At.CONTENT_START;
        return true;
    }

    private boolean content(ByteArrayOutputStream out) {
        int end = endOfContent();
        if (end < 0) {
            int kept = beginOfDelimiter();
            boolean some = kept > from;
            if (some) {
                byte[] bytes = Arrays.copyOfRange(held, from, kept);
                from = kept;
                pass(bytes, out);
            }
            // After content was delivered, another step detects that the rest is incomplete.
            return some;
        }
        if (end > from) {
            byte[] bytes = Arrays.copyOfRange(held, from, end);
            from = end;
            pass(bytes, out);
            return true;
        }
        BodyTransform of = content;
        if (of != null) {
            byte[] last = of.end();
            if (of.changes()) {
                write(last, out);
            }
            endContent();
        }
        from += delimiter.length;
        at = At.AFTER_DELIMITER;
        return true;
    }

    private void pass(byte[] bytes, ByteArrayOutputStream out) {
        BodyTransform of = content;
        byte[] given = of == null ? bytes : of.piece(bytes);
        write(of == null || of.changes() ? given : bytes, out);
    }

    private void write(byte[] bytes, ByteArrayOutputStream out) {
        if (!dropped) {
            out.writeBytes(bytes);
        }
    }

    private boolean epilogue() {
        int length = held.length - from;
        if (length > 2 || (length > 0 && held[from] != '\r') || (length > 1 && held[from + 1] != '\n')) {
            throw malformed("has bytes after its last boundary");
        }
        return false;
    }

    /**
     * Returns the index of the delimiter; -1 if there is no delimiter. A boundary after a line feed without CR is
     * refused, because some recipients treat such a boundary as a delimiter.
     */
    private int endOfContent() {
        int line = indexOf(delimiter, 1, from);
        if (line < 0) {
            return -1;
        }
        if (line == from || held[line - 1] != '\r') {
            throw malformed("has a boundary that does not follow a line break (CR and LF)");
        }
        return line - 1;
    }

    /**
     * Returns the first index from which all remaining bytes match the beginning of a delimiter; the end of the bytes
     * if there is no such index.
     */
    private int beginOfDelimiter() {
        for (int i = Math.max(from, held.length - delimiter.length + 1); i < held.length; i++) {
            int skipped = held[i] == '\n' ? 1 : 0;
            int length = held.length - i;
            if (length + skipped <= delimiter.length
                    && Arrays.equals(held, i, held.length, delimiter, skipped, skipped + length)) {
                return i;
            }
        }
        return held.length;
    }

    /**
     * Searches for {@code text} without its first {@code skipped} bytes. Returns the index of the first match from
     * {@code begin} on; -1 if there is no match.
     */
    private int indexOf(byte[] text, int skipped, int begin) {
        int length = text.length - skipped;
        for (int i = begin; i <= held.length - length; i++) {
            if (held[i] == text[skipped] && Arrays.equals(held, i, i + length, text, skipped, text.length)) {
                return i;
            }
        }
        return -1;
    }

    private static BodyRefusal malformed(String what) {
        return new BodyRefusal(GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request body " + what));
    }

    private static BodyRefusal tooLarge(String what) {
        return new BodyRefusal(GatewayError.downstream(ErrorKind.BODY_TOO_LARGE, "the request body " + what));
    }
}
