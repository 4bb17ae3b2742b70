package dev.lychgate.server.extensions;

import org.jspecify.annotations.Nullable;

/** Thrown if an extension can't be used. The message states the problem and the expected state. */
public final class ExtensionException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String expected;

    ExtensionException(String problem, String expected) {
        this(problem, expected, null);
    }

    ExtensionException(String problem, String expected, @Nullable Throwable cause) {
        super(problem + " (expected: " + expected + ")", cause);
        this.problem = problem;
        this.expected = expected;
    }

    public String problem() {
        return problem;
    }

    public String expected() {
        return expected;
    }
}
