package dev.lychgate.config;

/** The format in which a trace context is propagated. */
public enum Propagation {
    /**
     * The header fields {@code traceparent} and {@code tracestate}.
     *
     * @see <a href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a>
     */
    W3C("w3c"),
    /**
     * The single header field {@code b3}.
     *
     * @see <a href="https://github.com/openzipkin/b3-propagation">B3 Propagation</a>
     */
    B3("b3"),
    /**
     * The header fields {@code x-b3-traceid}, {@code x-b3-spanid} and {@code x-b3-sampled}, the older form of {@code
     * b3}.
     */
    B3_MULTI("b3-multi");

    private final String label;

    Propagation(String label) {
        this.label = label;
    }

    /** Returns the name of the format in settings, such as {@code b3-multi}. */
    public String label() {
        return label;
    }
}
