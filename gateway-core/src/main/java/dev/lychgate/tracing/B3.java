package dev.lychgate.tracing;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the B3 trace headers, in their single form (one header) and their multiple form (one header per
 * value).
 *
 * @see <a href="https://github.com/openzipkin/b3-propagation">B3 Propagation</a>
 */
final class B3 {
    private static final AsciiString ONE = AsciiString.cached("b3");
    private static final AsciiString TRACE = AsciiString.cached("x-b3-traceid");
    private static final AsciiString SPAN = AsciiString.cached("x-b3-spanid");
    private static final AsciiString PARENT = AsciiString.cached("x-b3-parentspanid");
    private static final AsciiString SAMPLED = AsciiString.cached("x-b3-sampled");
    private static final AsciiString FLAGS = AsciiString.cached("x-b3-flags");
    static final List<AsciiString> FIELDS = List.of(ONE, TRACE, SPAN, PARENT, SAMPLED, FLAGS);

    private static final String DEBUG = "d";

    private B3() {}

    /**
     * Returns the trace context in the headers; null if the headers are missing or malformed. The single form takes
     * precedence over the multiple form.
     */
    static @Nullable Caller read(HttpHeaders headers) {
        Caller one = one(headers);
        return one == null ? several(headers) : one;
    }

    private static @Nullable Caller one(HttpHeaders headers) {
        String all = Traceparent.only(headers, ONE);
        if (all == null) {
            return null;
        }
        int dash = all.indexOf('-');
        if (dash < 0) {
            return decided(all);
        }
        int next = all.indexOf('-', dash + 1);
        int end = next < 0 ? all.length() : next;
        String sampled = "";
        if (next >= 0) {
            int after = all.indexOf('-', next + 1);
            sampled = all.substring(next + 1, after < 0 ? all.length() : after);
        }
        return caller(all.substring(0, dash), all.substring(dash + 1, end), sampled);
    }

    private static @Nullable Caller several(HttpHeaders headers) {
        String trace = Traceparent.only(headers, TRACE);
        String sampled = "1".equals(headers.get(FLAGS)) ? DEBUG : headers.get(SAMPLED, "");
        if (trace == null) {
            return decided(sampled);
        }
        return caller(trace, headers.get(SPAN, ""), sampled);
    }

    /** Returns a sampling decision without a trace. */
    private static @Nullable Caller decided(String sampled) {
        Boolean word = word(sampled);
        return word == null ? null : new Caller(0, 0, 0, word, "");
    }

    private static @Nullable Caller caller(String trace, String span, String sampled) {
        int length = trace.length();
        boolean valid = (length == 16 || length == 32)
                && Hex.isHex(trace, 0, length)
                && span.length() == 16
                && Hex.isHex(span, 0, 16);
        if (!valid) {
            return null;
        }
        long high = length == 32 ? Hex.value(trace, 0, 16) : 0;
        long low = Hex.value(trace, length - 16, 16);
        long id = Hex.value(span, 0, 16);
        return (high | low) == 0 || id == 0 ? null : new Caller(high, low, id, word(sampled), "");
    }

    private static @Nullable Boolean word(String sampled) {
        return switch (sampled) {
            case "1", DEBUG, "true" -> Boolean.TRUE;
            case "0", "false" -> Boolean.FALSE;
            default -> null;
        };
    }

    static void writeOne(TraceContext trace, long span, HttpHeaders headers) {
        headers.set(ONE, trace.traceId() + "-" + Hex.of(span) + (trace.sampled() ? "-1" : "-0"));
    }

    static void writeSeveral(TraceContext trace, long span, HttpHeaders headers) {
        headers.set(TRACE, trace.traceId());
        headers.set(SPAN, Hex.of(span));
        headers.set(SAMPLED, trace.sampled() ? "1" : "0");
        headers.remove(PARENT);
        headers.remove(FLAGS);
    }

    static void strip(HttpHeaders headers) {
        FIELDS.forEach(headers::remove);
    }
}
