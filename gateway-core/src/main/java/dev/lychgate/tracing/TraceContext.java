package dev.lychgate.tracing;

/**
 * The trace context of an exchange: the trace id, the client's span and the exchange's own span. Immutable.
 *
 * @param high the upper half of the trace id
 * @param low the lower half of the trace id; at least one half is not 0
 * @param parent the id of the client's span; 0 if the trace begins with this exchange
 * @param span the id of the exchange's own span; never 0
 * @param sampled whether the trace is recorded
 * @param state the value of {@code tracestate}; may be empty
 */
public record TraceContext(long high, long low, long parent, long span, boolean sampled, String state) {
    /** Returns the trace id: 32 hexadecimal digits. */
    public String traceId() {
        return Hex.of(high) + Hex.of(low);
    }

    /** Returns the value of {@code traceparent} for calls that belong to the exchange's own span. */
    public String traceparent() {
        return Traceparent.of(this, span);
    }

    /** Formats the id of a span: 16 hexadecimal digits. */
    public static String spanId(long id) {
        return Hex.of(id);
    }
}
