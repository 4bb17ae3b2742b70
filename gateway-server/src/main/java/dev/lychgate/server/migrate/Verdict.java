package dev.lychgate.server.migrate;

/** The kinds of changes that a file with a filter needs, in ascending order of severity. */
public enum Verdict {
    RUNS("runs as it is"),
    LEFT_OUT("is left out"),
    SETTING("runs with a setting"),
    CHANGE("must change");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /** Returns the verdict in words, for reports. */
    public String text() {
        return text;
    }
}
