package dev.lychgate.server.migrate;

/** What a file needs, from the least to the most. */
public enum Verdict {
    RUNS("runs as it is"),
    LEFT_OUT("is left out"),
    SETTING("runs with a setting"),
    CHANGE("must change");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    /** Returns the words of reports. */
    public String text() {
        return text;
    }
}
