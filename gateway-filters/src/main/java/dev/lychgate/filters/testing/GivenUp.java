package dev.lychgate.filters.testing;

/** Ends an abandoned test script that continues to run after its time limit. */
final class GivenUp extends Error {
    private static final long serialVersionUID = 1;

    GivenUp() {
        super("the script exceeded its time limit", null, false, false);
    }
}
