package dev.lychgate.server.rollout;

/** A figure that is compared between two generations. */
public enum Metric {
    /** The share of failed exchanges. */
    ERRORS("errors"),
    /** The median, the 90th and the 99th percentile of the latency. */
    P99("p99"),
    /** The share of exchanges with a failed filter. */
    FILTER_FAILURES("filter-failures"),
    /** The shares of status classes. */
    STATUS_SHIFT("status-shift"),
    /** The state of a filter that the guard has ejected or that its budget limits. */
    FILTER_BUDGET("filter-budget");

    private final String label;

    Metric(String label) {
        this.label = label;
    }

    /** Returns the name in logs, in metrics and in {@code abort-on}, such as {@code filter-failures}. */
    public String label() {
        return label;
    }
}
