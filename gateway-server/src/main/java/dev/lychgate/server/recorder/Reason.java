package dev.lychgate.server.recorder;

import java.util.Locale;

/** The reason why an exchange was recorded. If several reasons apply, the first of these constants is used. */
public enum Reason {
    /** The exchange failed because of the origin or the gateway. */
    FAILED,
    /** The time to the first response byte exceeded the configured threshold. */
    SLOW,
    /** The exchange is part of a recorded trace. */
    SAMPLED;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns the name of this reason in metrics and pages. */
    public String label() {
        return label;
    }
}
