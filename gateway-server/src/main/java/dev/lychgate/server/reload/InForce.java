package dev.lychgate.server.reload;

import dev.lychgate.generation.Generation;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The generation in force, and the newest earlier generations. Callers hold the lock of the {@link Reloader}, except
 * for {@link #running}, {@link #history} and {@link #taken}, which are thread-safe.
 */
final class InForce {
    private final History history = new History();
    private final WatchedFiles watched;
    private final AtomicLong taken = new AtomicLong();
    private @Nullable Generation current;
    /** Whether the admin section of the running generation and the rest of its settings come from different files. */
    private boolean hasOtherAdmin;

    /** @param watched follows the secrets of the generation in force */
    InForce(WatchedFiles watched) {
        this.watched = watched;
    }

    /** Records the generation with which the gateway was started. */
    void start(BuiltGeneration first, Generation generation) {
        enter(first, generation, "start");
    }

    /** Records that a generation has replaced the running generation. */
    void take(SwappedIn next, String why) {
        hasOtherAdmin = false;
        enter(next.built(), next.generation(), why);
        taken.incrementAndGet();
    }

    private void enter(BuiltGeneration built, Generation generation, String why) {
        current = generation;
        watched.followSecrets(built.files().loaded().secrets());
        built.tookOver();
        history.add(new History.Taken(generation.number(), generation.since(), built, why));
    }

    /** Records that the running generation has other certificates or another admin section, under a new number. */
    void renew(BuiltGeneration built, Generation generation, String why) {
        current = generation;
        history.renew(new History.Taken(generation.number(), generation.since(), built, why));
        taken.incrementAndGet();
    }

    /** Returns the running generation; null before the start and after the end. */
    History.@Nullable Taken running() {
        return history.running();
    }

    History history() {
        return history;
    }

    /** Returns the number of generations that have been put into force after the start. */
    long taken() {
        return taken.get();
    }

    /** Returns whether a new build from the files of the running generation would restore an ejected filter. */
    boolean hasEjectedFilter() {
        Generation running = current;
        return running != null
                && running.filters().placements().stream()
                        .anyMatch(placement -> placement.slot().isEjected());
    }

    boolean hasOtherAdmin() {
        return hasOtherAdmin;
    }

    void otherAdmin(boolean other) {
        hasOtherAdmin = other;
    }
}
