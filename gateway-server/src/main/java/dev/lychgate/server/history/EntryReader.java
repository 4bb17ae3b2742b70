package dev.lychgate.server.history;

import dev.lychgate.server.history.ChangeHistory.Query;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects entries from the files of a history, even if the gateway rolls the files at the same time. Blocks; each
 * instance serves one call.
 */
final class EntryReader {
    private static final int TRIES = 3;

    private final Path file;
    private final Query query;
    private final @Nullable Duration longest;
    private final long begun = System.nanoTime();

    /** @param longest the time after which a search fails; null for no limit */
    EntryReader(Path file, Query query, @Nullable Duration longest) {
        this.file = file;
        this.query = query;
        this.longest = longest;
    }

    /** Returns the entries, the newest first. Lines that are not entries are omitted. */
    List<Entry> read() throws IOException {
        for (int tries = 1; ; tries++) {
            List<Path> files = Lines.all(file);
            try {
                List<Entry> found = read(files);
                // If a file was rolled during the search, the search may have missed entries of this file.
                if (tries == TRIES || files.equals(Lines.all(file))) {
                    return found;
                }
            } catch (NoSuchFileException e) {
                // The file was rolled or deleted during the search.
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private List<Entry> read(List<Path> files) throws IOException {
        List<Entry> found = new ArrayList<>();
        for (int i = files.size() - 1; i >= 0 && found.size() < query.limit(); i--) {
            if (Lines.first(files.get(i)) < query.before()) {
                found.addAll(newest(files.get(i), query.limit() - found.size()));
            }
        }
        return found;
    }

    private Deque<Entry> newest(Path one, int room) throws IOException {
        Deque<Entry> newest = new ArrayDeque<>();
        Lines.visit(one, (line, whole) -> {
            checkTime();
            Entry entry = whole ? entry(line) : null;
            if (entry != null && query.accepts(entry)) {
                newest.addFirst(entry);
                if (newest.size() > room) {
                    newest.removeLast();
                }
            }
        });
        return newest;
    }

    private void checkTime() throws IOException {
        if (longest != null && System.nanoTime() - begun > longest.toNanos()) {
            throw new IOException("the search took more than " + longest.toSeconds() + " s");
        }
    }

    private static @Nullable Entry entry(byte[] line) {
        try {
            return Entry.parse(line);
        } catch (IOException e) {
            return null;
        }
    }
}
