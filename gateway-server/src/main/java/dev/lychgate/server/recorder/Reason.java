package dev.lychgate.server.recorder;

import java.util.Locale;

/** Why an exchange was recorded; the first applicable constant. */
public enum Reason {
    /** It failed, by the fault of the origin or the gateway. */
    FAILED,
    /** The time to its first response byte exceeded the configured threshold. */
    SLOW,
    /** It is part of a recorded trace. */
    SAMPLED;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Returns its name in metrics and pages. */
    public String label() {
        return label;
    }
}
