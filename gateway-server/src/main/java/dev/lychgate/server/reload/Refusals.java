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
import org.slf4j.LoggerFactory;

/**
 * The refusals of a {@link Reloader}. That of a saved change is provisional until its files have settled, because they may be an
 * incomplete copy. Used with the lock of the reloader; {@link #latest} and {@link #count} by any thread.
 */
final class Refusals {
    private static final Logger LOG = LoggerFactory.getLogger(Reloader.class);

    private final ChangeNotes notes;
    private final Supplier<History.@Nullable Taken> running;
    private final AtomicLong count = new AtomicLong();
    private volatile @Nullable Refusal latest;
    /** The last refusal of files that may still be written; null once they have settled. */
    private @Nullable Unsettled unsettled;

    /** @param why the change that was refused @param files null if they could not be read */
    private record Unsettled(
            String why, RefusedException refused, @Nullable FilesRead files) {}

    /** @param running returns the generation that stays in force */
    Refusals(ChangeNotes notes, Supplier<History.@Nullable Taken> running) {
        this.notes = notes;
        this.running = running;
    }

    /** Returns the refusal of the files on disk; null if they are in force, or wait for a request. */
    @Nullable
    Refusal latest() {
        return latest;
    }

    /** Returns the number of final refusals. */
    long count() {
        return count.get();
    }

    /** The files are accepted. */
    void clear() {
        latest = null;
    }

    /** The files are read again, so that a provisional refusal does not become final. */
    void readAgain() {
        unsettled = null;
    }

    /** Saved files do not take effect, so incomplete files are not refused. */
    void ignoreUnsettled() {
        if (unsettled != null) {
            unsettled = null;
            latest = null;
        }
    }

    /** Other files than those on disk are in force since the start. */
    void atStart(List<String> faults) {
        remember(faults);
    }

    private void remember(List<String> faults) {
        count.incrementAndGet();
        latest = new Refusal(Instant.now(), faults);
    }

    /** A change is refused provisionally. An unexpected failure of the gateway is final. */
    void provisional(String why, RefusedException e) {
        if (e.getCause() != null) {
            add(e);
            return;
        }
        unsettled = new Unsettled(why, e, notes.files());
        latest = new Refusal(Instant.now(), e.faults());
        e.faults().forEach(fault -> LOG.info("not applied yet, because it may be incomplete: {}", fault));
    }

    /** Makes a provisional refusal final. @param why as in {@link #provisional} */
    void settled(String why) {
        Unsettled last = unsettled;
        if (last != null && last.why().equals(why)) {
            unsettled = null;
            notes.begin("reload", Author.WATCH);
            notes.read(last.files());
            add(last.refused());
        }
    }

    /** A change is refused. */
    void add(RefusedException e) {
        remember(e.faults());
        notes.refused(e.faults(), running.get());
        e.log(LOG);
        LOG.error("the change is refused; the running generation stays in force");
    }

    /** A rollback is refused. That of the files on disk, if there is any, remains the latest. */
    Outcome ofRollback(String why, List<String> faults, @Nullable Throwable cause) {
        count.incrementAndGet();
        LOG.error("{} refused: {}; the running generation stays in force", why, String.join("; ", faults), cause);
        notes.refusedRollback(faults, running.get());
        return new Outcome.Refused(faults);
    }
}
