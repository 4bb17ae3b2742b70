package dev.lychgate.tracing;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the headers {@code traceparent} and {@code tracestate}.
 *
 * @see <a href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a>
 */
final class Traceparent {
    static final AsciiString PARENT = AsciiString.cached("traceparent");
    static final AsciiString STATE = AsciiString.cached("tracestate");
    static final List<AsciiString> FIELDS = List.of(PARENT, STATE);

    private static final int LENGTH = 55;
    private static final int TRACE = 3;
    private static final int SPAN = 36;
    private static final int FLAGS = 53;
    private static final int SAMPLED = 1;

    /**
     * The length of {@code tracestate} that every system must propagate (3.3.1.5), in characters. The gateway does not
     * propagate a longer value.
     */
    private static final int LONGEST_STATE = 512;

    private Traceparent() {}

    /** Returns the trace context in the headers; null if the headers are missing or malformed. */
    static @Nullable Caller read(HttpHeaders headers) {
        String parent = only(headers, PARENT);
        if (parent == null || !isValid(parent)) {
            return null;
        }
        long high = Hex.value(parent, TRACE, 16);
        long low = Hex.value(parent, TRACE + 16, 16);
        long span = Hex.value(parent, SPAN, 16);
        if ((high | low) == 0 || span == 0) {
            return null;
        }
        boolean sampled = (Hex.value(parent, FLAGS, 2) & SAMPLED) != 0;
        return new Caller(high, low, span, sampled, state(headers));
    }

    /**
     * Returns whether {@code text} is a valid {@code traceparent}. If its version is later than 00, checks the fields
     * that version 00 defines (4.3).
     */
    private static boolean isValid(String text) {
        return text.length() >= LENGTH
                && Hex.isHex(text, 0, 2)
                && !text.startsWith("ff")
                && (text.length() == LENGTH || (!text.startsWith("00") && text.charAt(LENGTH) == '-'))
                && text.charAt(TRACE - 1) == '-'
                && Hex.isHex(text, TRACE, 32)
                && text.charAt(SPAN - 1) == '-'
                && Hex.isHex(text, SPAN, 16)
                && text.charAt(FLAGS - 1) == '-'
                && Hex.isHex(text, FLAGS, 2);
    }

    private static String state(HttpHeaders headers) {
        List<String> all = headers.getAll(STATE);
        String state = all.isEmpty() ? "" : all.size() == 1 ? all.get(0) : String.join(",", all);
        return state.length() <= LONGEST_STATE ? state : "";
    }

    /** Returns the value of a header; null if the header is missing or occurs more than once. */
    static @Nullable String only(HttpHeaders headers, AsciiString name) {
        String value = headers.get(name);
        return value == null || headers.getAll(name).size() > 1 ? null : value;
    }

    /**
     * Sets the trace headers of a request.
     *
     * @param span the parent of the spans that the receiver creates
     */
    static void write(TraceContext trace, long span, HttpHeaders headers) {
        headers.set(PARENT, of(trace, span));
        if (trace.state().isEmpty()) {
            headers.remove(STATE);
        } else {
            headers.set(STATE, trace.state());
        }
    }

    /**
     * Returns the header value.
     *
     * @param span the parent of the spans that the receiver creates
     */
    static String of(TraceContext trace, long span) {
        return "00-" + trace.traceId() + "-" + Hex.of(span) + (trace.sampled() ? "-01" : "-00");
    }

    static void strip(HttpHeaders headers) {
        FIELDS.forEach(headers::remove);
    }
}
