package dev.lychgate.server.cli;

import dev.lychgate.server.engine.StartException;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.history.ChangeHistory;
import dev.lychgate.server.history.Entry;
import dev.lychgate.server.reload.FileGateway;
import dev.lychgate.server.reload.RefusedException;
import dev.lychgate.server.terminal.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Builds earlier generations from the files that a history keeps, for commands that only read. */
final class EarlierFiles {
    /** Number of history entries that are read at once. */
    private static final int PAGE = 1000;

    private final Path config;
    private final Surroundings surroundings;

    /** @param config the configuration file that the history belongs to */
    EarlierFiles(Path config, Surroundings surroundings) {
        this.config = config;
        this.surroundings = surroundings;
    }

    /**
     * Builds the generation with the given number, and passes it to {@code eyes}. If several generations have this
     * number, builds the newest of these generations. A gateway may be running at the same time.
     *
     * @throws StartException if the history does not contain the files of the generation
     * @throws RefusedException if the configuration of the generation is refused in this environment
     */
    <T> T look(long generation, Function<FilterAssembly, T> eyes)
            throws StartException, RefusedException, InterruptedException, IOException {
        Entry entry = find(generation);
        Path directory = Files.createTempDirectory("lychgate");
        try {
            return FileGateway.look(config, surroundings.environment(), entry, directory, eyes);
        } finally {
            delete(directory);
        }
    }

    /** Returns the newest entry of the history that has files and led to a generation with the given number. */
    private Entry find(long generation) throws StartException {
        Path history = HistoryPlace.of(config, surroundings);
        try {
            long before = Long.MAX_VALUE;
            while (true) {
                List<Entry> page = ChangeHistory.read(history, new ChangeHistory.Query(before, PAGE, null, null));
                for (Entry entry : page) {
                    if (entry.change().to() == generation
                            && !entry.change().kept().isEmpty()) {
                        return entry;
                    }
                    before = entry.number();
                }
                if (page.size() < PAGE) {
                    throw new StartException(
                            "the history " + history + " has no files of generation " + generation, ExitCode.NO_RESULT);
                }
            }
        } catch (IOException e) {
            throw new StartException(Printable.escaped(history + ": " + e.getMessage()), ExitCode.NO_RESULT);
        }
    }

    /**
     * Deletes a directory. A failure causes only a warning, because a remaining directory does not change the result.
     */
    private void delete(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException | UncheckedIOException e) {
            surroundings.err().println("warning: " + directory + " can't be deleted: " + e);
        }
    }
}
