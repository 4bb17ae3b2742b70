package dev.lychgate.tracing;

/**
 * What an exchange is in a trace: the trace's id, the span of whoever has asked, and the exchange's own. Immutable.
 *
 * @param high the upper half of the trace's id
 * @param low its lower half; not both are 0
 * @param parent the id of the caller's span; 0 if the trace begins here
 * @param span the id of the exchange's own span; never 0
 * @param sampled whether it is recorded
 * @param state what {@code tracestate} says of others' systems; empty if nothing
 */
public record TraceContext(long high, long low, long parent, long span, boolean sampled, String state) {
    /** 32 hexadecimal digits. */
    public String traceId() {
        return Hex.of(high) + Hex.of(low);
    }

    /** {@code traceparent} for those who are called within the exchange's own span. */
    public String traceparent() {
        return Traceparent.of(this, span);
    }

    /** The id of a span: 16 hexadecimal digits. */
    public static String spanId(long id) {
        return Hex.of(id);
    }
}
