package dev.lychgate.server.reload;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The generations that ran last, newest first, with all that is needed to go back to them. No two of them are built from
 * the same files: going back and forth pushes nothing out. Any thread.
 */
final class History {
    /** How many are kept, the running one among them. */
    static final int KEPT = 5;

    private final Deque<Taken> taken = new ArrayDeque<>();

    /**
     * A generation that ran, or runs.
     *
     * @param number its number
     * @param since when it took over
     * @param built what it was made of
     * @param why it was built, for people
     */
    record Taken(long number, Instant since, BuiltGeneration built, String why) {}

    /**
     * Another one runs. It stands in for an earlier one of the same files; else the oldest may be forgotten. What was built
     * for the one that goes is let go of, unless the new one is made of the very same.
     */
    synchronized void add(Taken next) {
        forgetLike(next.built());
        taken.addFirst(next);
        if (taken.size() > KEPT) {
            taken.removeLast().built().forget();
        }
    }

    /** What runs has taken over once more, with other certificates. It stands in for itself. */
    synchronized void renew(Taken running) {
        taken.removeFirst();
        taken.addFirst(running);
    }

    private void forgetLike(BuiltGeneration next) {
        for (Iterator<Taken> i = taken.iterator(); i.hasNext(); ) {
            BuiltGeneration earlier = i.next().built();
            if (!earlier.files().isSameAs(next.files())) {
                continue;
            }
            i.remove();
            if (!isOne(earlier, next)) {
                earlier.forget();
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // which one holds the classes, not what it says
    private static boolean isOne(BuiltGeneration earlier, BuiltGeneration next) {
        return earlier == next;
    }

    /** The one that runs; null before the first, and after the end. */
    synchronized @Nullable Taken running() {
        return taken.peekFirst();
    }

    synchronized List<Taken> all() {
        return new ArrayList<>(taken);
    }

    synchronized @Nullable Taken find(long number) {
        return taken.stream().filter(one -> one.number() == number).findFirst().orElse(null);
    }

    /** Forgets all of them, and lets go of what was built for them. */
    synchronized void close() {
        taken.forEach(one -> one.built().close());
        taken.clear();
    }
}
