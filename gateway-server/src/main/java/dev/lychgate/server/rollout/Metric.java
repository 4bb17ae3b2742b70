package dev.lychgate.server.rollout;

/** A figure by which two generations are compared. */
public enum Metric {
    /** The share of failed exchanges. */
    ERRORS("errors"),
    /** The latency: its median, its 90th and its 99th percentile. */
    P99("p99"),
    /** The share of exchanges with a failed filter. */
    FILTER_FAILURES("filter-failures"),
    /** The shares of status classes. */
    STATUS_SHIFT("status-shift"),
    /** A filter that the guard or its budget has ejected or limited. */
    FILTER_BUDGET("filter-budget");

    private final String label;

    Metric(String label) {
        this.label = label;
    }

    /** Returns the name in logs, in metrics and in {@code abort-on}: {@code filter-failures}. */
    public String label() {
        return label;
    }
}
