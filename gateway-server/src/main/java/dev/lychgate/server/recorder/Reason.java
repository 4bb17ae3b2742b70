package dev.lychgate.server.recorder;

import java.util.Locale;

/** Why an exchange was recorded; the first that holds. */
public enum Reason {
    /** It failed, by the origin's fault or ours. */
    FAILED,
    /** Its answer took longer to begin than the settings call usual. */
    SLOW,
    /** It is part of a trace that is recorded. */
    SAMPLED;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** As metrics and pages call it. */
    public String label() {
        return label;
    }
}
