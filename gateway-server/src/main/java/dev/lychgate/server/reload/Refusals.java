package dev.lychgate.server.reload;

import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.admin.Generations.Refusal;
import dev.lychgate.server.history.Author;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The refusals of a {@link Reloader}. The refusal of a saved change is provisional until the files have settled,
 * because the files may be incompletely written. Callers hold the lock of the reloader, except for {@link #latest} and
 * {@link #count}, which are thread-safe.
 */
final class Refusals {
    private final Logger log;
    private final ChangeNotes notes;
    private final Supplier<History.@Nullable Taken> running;
    private final AtomicLong count = new AtomicLong();
    private volatile @Nullable Refusal latest;
    /** The last refusal of files that may be incompletely written; null after the files have settled. */
    private @Nullable Unsettled unsettled;

    /**
     * @param why names the refused change
     * @param files null if the files could not be read
     */
    private record Unsettled(
            String why, RefusedException refused, @Nullable FilesRead files) {}

    /**
     * @param log receives each refusal
     * @param running returns the generation that stays in force
     */
    Refusals(Logger log, ChangeNotes notes, Supplier<History.@Nullable Taken> running) {
        this.log = log;
        this.notes = notes;
        this.running = running;
    }

    /**
     * Returns the refusal of the files on disk; null if the files are in force, or if they take effect only after an
     * operator has requested a reload.
     */
    @Nullable
    Refusal latest() {
        return latest;
    }

    /** Returns the number of final refusals. */
    long count() {
        return count.get();
    }

    /** Removes the refusal, because the files were accepted. */
    void clear() {
        latest = null;
    }

    /** Drops a provisional refusal before the files are read again, so that it does not become final. */
    void readAgain() {
        unsettled = null;
    }

    /** Drops a provisional refusal, because saved files currently do not take effect. */
    void ignoreUnsettled() {
        if (unsettled != null) {
            unsettled = null;
            latest = null;
        }
    }

    /** Records that the files on disk were refused at startup, and that other files are in force. */
    void atStart(List<String> faults) {
        remember(faults);
    }

    private void remember(List<String> faults) {
        count.incrementAndGet();
        latest = new Refusal(Instant.now(), faults);
    }

    /** Records a provisional refusal. A refusal because of an unexpected failure of the gateway is final at once. */
    void provisional(String why, RefusedException e) {
        if (e.getCause() != null) {
            add(e);
            return;
        }
        unsettled = new Unsettled(why, e, notes.files());
        latest = new Refusal(Instant.now(), e.faults());
        e.faults()
                .forEach(fault ->
                        log.info("the change is not applied yet, because the files may be incomplete: {}", fault));
    }

    /**
     * Makes the provisional refusal of a change final.
     *
     * @param why as in {@link #provisional}
     */
    void settled(String why) {
        Unsettled last = unsettled;
        if (last != null && last.why().equals(why)) {
            unsettled = null;
            notes.begin("reload", Author.WATCH);
            notes.read(last.files());
            add(last.refused());
        }
    }

    /** Records and logs the final refusal of a change. */
    void add(RefusedException e) {
        remember(e.faults());
        notes.refused(e.faults(), running.get());
        e.log(log);
        log.error("the change is refused; the running generation stays in force");
    }

    /**
     * Records and logs the refusal of a rollback. {@link #latest} still returns the refusal of the files on disk, if
     * there is one.
     */
    Outcome ofRollback(String why, List<String> faults, @Nullable Throwable cause) {
        count.incrementAndGet();
        log.error("{} is refused: {}; the running generation stays in force", why, String.join("; ", faults), cause);
        notes.refusedRollback(faults, running.get());
        return new Outcome.Refused(faults);
    }
}
