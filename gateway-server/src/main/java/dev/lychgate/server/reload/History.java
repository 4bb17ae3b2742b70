package dev.lychgate.server.reload;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The newest generations that were taken, newest first, with all that is needed to go back to them. Any thread. */
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

    /** Another one runs; the oldest may be forgotten, and what was built for it let go. */
    synchronized void add(Taken next) {
        taken.addFirst(next);
        while (taken.size() > KEPT) {
            BuiltGeneration oldest = taken.removeLast().built();
            // One that was gone back to is there twice.
            Set<BuiltGeneration> kept = Collections.newSetFromMap(new IdentityHashMap<>());
            taken.forEach(one -> kept.add(one.built()));
            if (!kept.contains(oldest)) {
                oldest.close();
            }
        }
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
