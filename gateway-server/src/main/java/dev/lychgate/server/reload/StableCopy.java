package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.server.yaml.LoadedConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The saved stable generation of an earlier rollout, while the files of its candidate are on disk. Either the end of
 * the process interrupted the rollout, or the rollout was aborted.
 *
 * @param entry the content of the journal
 * @param stable the files of the stable generation
 * @param onDisk the files of the candidate
 */
record StableCopy(RolloutJournal.Entry entry, FilesRead stable, FilesRead onDisk) {
    private static final Logger LOG = LoggerFactory.getLogger(StableCopy.class);

    /**
     * Returns the copy that replaces the files on disk at startup. Returns null if the files do not belong to a
     * candidate. Also returns null, and logs the reason, if there is no usable copy.
     *
     * @param onDisk the files on disk
     */
    static @Nullable StableCopy of(
            RolloutJournal journal, Path config, LastGood lastGood, GenerationBuilder builder, FilesRead onDisk) {
        RolloutJournal.Entry entry = journal.read(config);
        if (entry == null) {
            return null;
        }
        if (!entry.candidate().equals(onDisk.onDisk())) {
            LOG.info("the files on disk have changed since the last rollout, so the gateway starts with them and"
                    + " discards its copy of the stable generation");
            journal.clear();
            return null;
        }
        try {
            return new StableCopy(entry, stable(entry, lastGood, builder), onDisk);
        } catch (RefusedException e) {
            LOG.error(
                    "the stable generation in {} is refused: {}; starting with the files on disk, which belong to"
                            + " the candidate of a rollout",
                    journal.file(),
                    e.getMessage());
            journal.clear();
            return null;
        }
    }

    private static FilesRead stable(RolloutJournal.Entry entry, LastGood lastGood, GenerationBuilder builder)
            throws RefusedException {
        LoadedConfig loaded = builder.read(entry.stable());
        if (entry.filters().isEmpty()) {
            return FilesRead.of(loaded, null);
        }
        FilterSources filters = lastGood.read();
        if (filters == null || !filters.fingerprint().equals(entry.filters())) {
            throw RefusedException.missing(
                    "the last good filters in " + lastGood.place() + " are not the filters of the stable generation");
        }
        return FilesRead.of(loaded, filters);
    }

    /** Logs that the gateway runs the stable generation, and why. */
    void log() {
        if (entry.stage() == RolloutJournal.Stage.UNDER_WAY) {
            LOG.warn("a rollout was interrupted: serving with the stable generation; the rollout begins anew");
        } else {
            LOG.warn(
                    "the files belong to an aborted rollout: serving with the stable generation until a file changes"
                            + " or a reload is requested; reason of the abort: {}",
                    entry.reason());
        }
    }
}
