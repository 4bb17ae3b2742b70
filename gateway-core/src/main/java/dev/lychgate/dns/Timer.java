package dev.lychgate.dns;

/** Runs things later; the seam between a watch and the clock. */
interface Timer {
    /** Runs {@code task} on the watches' thread, after so many milliseconds. */
    void after(long millis, Runnable task);
}
