package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.server.admin.RolloutRequest;
import dev.lychgate.server.reload.RolloutJournal.Entry;
import dev.lychgate.server.reload.RolloutJournal.Stage;
import dev.lychgate.server.yaml.ConfigTexts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Saves the stable generation before a candidate gets traffic, so that a restart finds it again. Used by one thread at a time. */
final class RolloutStore {
    private static final Logger LOG = LoggerFactory.getLogger(RolloutStore.class);

    private final RolloutJournal journal;
    private final LastGood lastGood;
    private @Nullable Entry entry;
    private @Nullable Entry before;

    RolloutStore(RolloutJournal journal, LastGood lastGood) {
        this.journal = journal;
        this.lastGood = lastGood;
    }

    /** Saves the stable generation for the candidate that follows. A failure is logged: the files on disk are used then. */
    void save(FilesRead stable, FilesRead candidate, RolloutRequest request) {
        before = entry;
        String fingerprint = candidate.onDisk();
        ConfigTexts texts = stable.loaded().texts();
        entry = fingerprint == null || texts == null || !isSaved(stable.filters())
                ? null
                : new Entry(Stage.UNDER_WAY, fingerprint, "", request, texts, fingerprint(stable.filters()));
        write();
    }

    private boolean isSaved(@Nullable FilterSources filters) {
        if (filters == null || lastGood.secure(filters)) {
            return true;
        }
        LOG.warn(
                "the stable filters are not saved in {}: a restart during the rollout starts with the candidate",
                lastGood.place());
        return false;
    }

    private static String fingerprint(@Nullable FilterSources filters) {
        return filters == null ? "" : filters.fingerprint();
    }

    /** The files of the candidate were written again, perhaps with other comments. */
    void candidateIs(FilesRead files) {
        String fingerprint = files.onDisk();
        if (entry != null && fingerprint != null && !fingerprint.equals(entry.candidate())) {
            entry = entry.of(fingerprint);
            write();
        }
    }

    /** The candidate was refused: the state before {@link #save}. */
    void undo() {
        entry = before;
        write();
    }

    /** The candidate was aborted, and its files are still on disk. */
    void aborted(String reason) {
        if (entry != null) {
            entry = entry.aborted(reason);
            write();
        }
    }

    /** Stores another stable generation, while the files on disk still belong to an aborted candidate. */
    void stableIs(FilesRead stable) {
        ConfigTexts texts = stable.loaded().texts();
        if (entry != null) {
            entry = texts == null || !isSaved(stable.filters())
                    ? null
                    : entry.with(texts, fingerprint(stable.filters()));
            write();
        }
    }

    /** Continues with what a restart has read. */
    void resume(Entry read) {
        entry = read;
    }

    /** The files on disk are the stable generation. */
    void clear() {
        entry = null;
        journal.clear();
    }

    private void write() {
        if (entry == null) {
            journal.clear();
        } else if (!journal.write(entry)) {
            entry = null;
        }
    }
}
