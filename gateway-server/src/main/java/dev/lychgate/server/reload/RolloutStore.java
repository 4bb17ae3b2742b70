package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.server.admin.RolloutRequest;
import dev.lychgate.server.reload.RolloutJournal.Entry;
import dev.lychgate.server.reload.RolloutJournal.Stage;
import dev.lychgate.server.yaml.ConfigTexts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves the stable generation before a candidate gets traffic, so that a restart can use it. Used by one thread at a
 * time.
 */
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

    /**
     * Saves the stable generation before a candidate gets traffic. A failure is logged, and a restart then uses the
     * files on disk.
     */
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
                "the filters of the stable generation are not saved in {}, so a restart during the rollout would"
                        + " start with the candidate",
                lastGood.place());
        return false;
    }

    private static String fingerprint(@Nullable FilterSources filters) {
        return filters == null ? "" : filters.fingerprint();
    }

    /**
     * Saves the new fingerprint of the candidate's files. Called after a change of the files that has no effect, such
     * as an edited comment.
     */
    void candidateIs(FilesRead files) {
        String fingerprint = files.onDisk();
        if (entry != null && fingerprint != null && !fingerprint.equals(entry.candidate())) {
            entry = entry.of(fingerprint);
            write();
        }
    }

    /** Restores the state that existed before {@link #save}, because the candidate was refused. */
    void undo() {
        entry = before;
        write();
    }

    /** Records that the candidate was aborted while its files are still on disk. */
    void aborted(String reason) {
        if (entry != null) {
            entry = entry.aborted(reason);
            write();
        }
    }

    /** Saves another stable generation while the files on disk still belong to an aborted candidate. */
    void stableIs(FilesRead stable) {
        ConfigTexts texts = stable.loaded().texts();
        if (entry != null) {
            entry = texts == null || !isSaved(stable.filters())
                    ? null
                    : entry.with(texts, fingerprint(stable.filters()));
            write();
        }
    }

    /** Continues with the entry that was read at startup. */
    void resume(Entry read) {
        entry = read;
    }

    /** Deletes the saved generation, because the files on disk belong to the stable generation. */
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
