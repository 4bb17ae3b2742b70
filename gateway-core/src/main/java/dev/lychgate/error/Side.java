package dev.lychgate.error;

/** The side that caused a failure, as seen from the gateway. */
public enum Side {
    /** The client, or the connection to the client. */
    DOWNSTREAM,
    /** The origin, or the connection to the origin. */
    UPSTREAM,
    /** The gateway itself: its limits, its configuration, its bugs. */
    LOCAL;

    private final String label = name().toLowerCase(java.util.Locale.ROOT);

    /** Returns the name in logs and metrics: {@code downstream}, {@code upstream} or {@code local}. */
    public String label() {
        return label;
    }
}
