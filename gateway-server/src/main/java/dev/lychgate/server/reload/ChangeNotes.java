package dev.lychgate.server.reload;

import dev.lychgate.server.admin.RolloutControl;
import dev.lychgate.server.history.Author;
import dev.lychgate.server.history.Change;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.ChangedFile;
import dev.lychgate.server.history.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes an entry into the history for each change of a {@link Reloader}. The entry lists the files that differ. This
 * class also stores the files of accepted generations. Callers hold the lock of the reloader, unless noted.
 */
final class ChangeNotes {
    private final @Nullable ChangeHistory history;
    private final @Nullable KeptFiles kept;
    private final Path main;
    private final Supplier<List<Path>> included;
    private String action = "reload";
    private Author author = Author.GATEWAY;
    private long begun = System.nanoTime();
    private @Nullable FilesRead read;
    private volatile String promotion = "";

    /**
     * @param history null if no changes are recorded
     * @param kept stores the files of accepted generations; null if no files are stored
     * @param main the configuration file
     * @param included returns the files that the last reading of the configuration included, even if it was refused
     */
    ChangeNotes(@Nullable ChangeHistory history, @Nullable KeptFiles kept, Path main, Supplier<List<Path>> included) {
        this.history = history;
        this.kept = kept;
        this.main = main;
        this.included = included;
    }

    /** Returns an instance that records nothing. */
    static ChangeNotes none() {
        return new ChangeNotes(null, null, Path.of(""), List::of);
    }

    @Nullable
    ChangeHistory history() {
        return history;
    }

    /** Begins a change. All following records belong to this change, until the next change begins. */
    void begin(String what, Author by) {
        action = what;
        author = by;
        begun = System.nanoTime();
        read = null;
    }

    /**
     * Notes the files that were read for the change.
     *
     * @param files null if they could not be read
     */
    void read(@Nullable FilesRead files) {
        read = files;
    }

    /** Returns the files that were read; null if they could not be read. */
    @Nullable
    FilesRead files() {
        return read;
    }

    /**
     * Records an accepted change.
     *
     * @param before the generation before the change; null at startup
     * @param to the number of the generation after the change
     */
    void accepted(String verdict, String why, History.@Nullable Taken before, FilesRead files, long to) {
        if (history == null) {
            return;
        }
        List<ChangedFile> changed = FileDigests.difference(digests(before), FileDigests.of(files));
        if (before != null && !before.built().files().certificates().equals(files.certificates())) {
            changed = FileDigests.withCertificates(changed);
        }
        if (before != null) {
            changed = FileDigests.withSecrets(changed, before.built().files().secretsChangedIn(files));
        }
        Change change = change(verdict, why, before, to, changed);
        KeptFiles keeper = kept;
        // The files of a candidate are stored only at its promotion, because a rollback to a candidate that was not
        // promoted is impossible.
        if (keeper == null || verdict.equals("candidate")) {
            history.record(change);
        } else {
            history.record(change, () -> keeper.save(files));
        }
    }

    /** Records a refused change. If its files could not be read, the configuration files on disk are listed. */
    void refused(List<String> faults, History.@Nullable Taken running) {
        if (history != null) {
            FilesRead files = read;
            List<ChangedFile> changed = files == null
                    ? FileDigests.changed(digests(running), FileDigests.onDisk(running, onDisk()))
                    : FileDigests.difference(digests(running), FileDigests.of(files));
            record("refused", String.join("; ", faults), running, 0, changed);
        }
    }

    /** Records a refused rollback, which does not concern the files on disk. */
    void refusedRollback(List<String> faults, History.@Nullable Taken running) {
        if (history != null) {
            FilesRead files = read;
            List<ChangedFile> changed =
                    files == null ? List.of() : FileDigests.difference(digests(running), FileDigests.of(files));
            record("refused", String.join("; ", faults), running, 0, changed);
        }
    }

    private static Map<String, String> digests(History.@Nullable Taken generation) {
        return generation == null ? Map.of() : FileDigests.of(generation.built().files());
    }

    /** Records that certificates, keys or tokens were written and that the running generation now uses them. */
    void renewed(String why, History.Taken running, long to) {
        if (history != null) {
            String before = action;
            action = "renewal";
            record("accepted", why, running, to, FileDigests.withCertificates(List.of()));
            action = before;
        }
    }

    /**
     * Records that secrets were written and that the running generation now uses them.
     *
     * @param to the number of the generation after the change
     */
    void rotated(String why, History.Taken before, FilesRead files, long to) {
        if (history != null) {
            String during = action;
            action = "renewal";
            accepted("accepted", why, before, files, to);
            action = during;
        }
    }

    /** Records that the running generation now uses the admin section of a candidate. */
    void admitted(String why, History.Taken running, long to) {
        record("accepted", why, running, to, List.of());
    }

    private List<Path> onDisk() {
        return Stream.concat(Stream.of(main), included.get().stream()).toList();
    }

    /** Records a request that changed nothing, because the files are already in force. */
    void unchanged(String why, History.Taken running) {
        record("unchanged", why, running, running.number(), List.of());
    }

    /** Records that the gateway stops. */
    void stopped() {
        begin("stop", Author.GATEWAY);
        record("accepted", "the gateway stops", null, 0, List.of());
    }

    private void record(String verdict, String why, History.@Nullable Taken before, long to, List<ChangedFile> files) {
        if (history != null) {
            history.record(change(verdict, why, before, to, files));
        }
    }

    private Change change(
            String verdict, String why, History.@Nullable Taken before, long to, List<ChangedFile> files) {
        return Change.of(action, author, verdict, why)
                .between(before == null ? 0 : before.number(), to)
                .of(files)
                .lasting(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    }

    /** Records that a candidate was promoted. */
    void promoted(History.@Nullable Taken before, FilesRead files, long to) {
        begin("rollout", Author.GATEWAY);
        accepted("promoted", promotion, before, files, to);
    }

    /**
     * Records that a rollout changed its state. Ignores promotions, because {@link #promoted} records a promotion
     * together with its files. Thread-safe.
     */
    void event(RolloutControl.Event event) {
        if (event.event().equals("promoted")) {
            promotion = event.text();
        } else if (history != null) {
            history.record(Change.of("rollout", Author.GATEWAY, event.event(), event.text())
                    .between(0, event.candidate()));
        }
    }

    /**
     * Returns the kept files of an entry of the history.
     *
     * @param retained the generations in memory, whose restored files must not be deleted
     * @throws RefusedException if the files are not kept, or can't be read
     */
    FilesRead restore(long number, GenerationBuilder builder, History retained) throws RefusedException {
        String what = "entry " + number + " of the history";
        if (history == null || kept == null) {
            throw RefusedException.missing("no history that keeps files is configured");
        }
        try {
            Entry entry = history.find(number);
            if (entry == null) {
                throw RefusedException.missing(what + " does not exist");
            }
            if (entry.change().kept().isEmpty()) {
                throw RefusedException.missing(
                        what + " has no files, because it does not record an accepted" + " generation");
            }
            return kept.read(entry.change(), main, builder, retained.fingerprints());
        } catch (IOException e) {
            throw RefusedException.missing("the files of " + what + " are not kept: " + e.getMessage());
        }
    }

    /** Writes the recorded entries to the disk and closes the history. */
    void close() {
        if (history != null) {
            history.close();
        }
    }
}
