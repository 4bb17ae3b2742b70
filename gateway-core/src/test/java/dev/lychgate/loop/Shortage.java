package dev.lychgate.loop;

/** The time after a refusal in which the memory of copies and of stalled messages is reclaimed. */
public final class Shortage {
    private Shortage() {}

    /** Returns whether an earlier test may still cost memory. */
    public static boolean isFelt() {
        return MemoryBudget.OF_PROCESS.isLacking(System.nanoTime()) || Headroom.isScarce();
    }
}
