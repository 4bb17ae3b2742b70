package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.server.yaml.LoadedConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stable generation of a rollout that a stop of the process interrupted, or after which the refused files are still on
 * disk.
 *
 * @param entry the journal
 * @param stable the files of the stable generation
 * @param onDisk the files of the candidate
 */
record StableCopy(RolloutJournal.Entry entry, FilesRead stable, FilesRead onDisk) {
    private static final Logger LOG = LoggerFactory.getLogger(StableCopy.class);

    /**
     * Returns the copy that replaces the files on disk at the start; null if they are no candidate, or there is no usable copy,
     * which is logged.
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
            LOG.info("the files have changed since the last rollout; starting with the files as they are");
            journal.clear();
            return null;
        }
        try {
            return new StableCopy(entry, stable(entry, lastGood, builder), onDisk);
        } catch (RefusedException e) {
            LOG.error(
                    "the stable generation in {} is refused: {}; starting with the files as they are, which were in a"
                            + " rollout",
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
                    "the last good filters in " + lastGood.place() + " do not belong to the rollout");
        }
        return FilesRead.of(loaded, filters);
    }

    /** Reports that the gateway runs the stable generation. */
    void log() {
        if (entry.stage() == RolloutJournal.Stage.UNDER_WAY) {
            LOG.warn("a rollout was interrupted: serving with the stable generation, and the rollout begins anew");
        } else {
            LOG.warn(
                    "the files belong to an aborted rollout: serving with the stable generation until a file"
                            + " changes or a reload is requested; {}",
                    entry.reason());
        }
    }
}
