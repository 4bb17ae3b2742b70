package dev.lychgate.testing;

/** Pauses of filters that block, for tests of the measures against these: {@link BlockedLoops} permits them. */
public final class Pauses {
    private Pauses() {}

    /** Sleeps, on any thread. */
    public static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
