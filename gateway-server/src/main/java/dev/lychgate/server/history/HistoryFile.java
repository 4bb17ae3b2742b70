package dev.lychgate.server.history;

import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.server.handover.Predecessor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends entries to the newest file of a history and rolls the file. An entry is on the disk when {@link #append}
 * returns. After a failure, the file is truncated to the last whole line, and the next append reopens it. Used by one
 * thread; blocks.
 *
 * <p>The end of the chain is read from the file one time, and then kept in memory. If another program changes the last
 * line, the chain breaks at the next entry, and a verification detects the change. A lock file excludes other
 * processes.
 */
final class HistoryFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryFile.class);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Path file;
    private final long limit;
    private final int keep;
    private @Nullable FileChannel lock;
    private @Nullable FileChannel channel;
    private @Nullable Object key;
    private long size;
    private long rollAt;
    /** The number of the first entry in the file; 0 if the file has no entry. */
    private long first;

    private boolean known;
    private long number;
    private String head = Digest.NONE;
    private long torn;

    /**
     * @param limit the size in bytes at which the file is rolled
     * @param keep the number of rolled files to keep
     */
    HistoryFile(Path file, long limit, int keep) {
        this.file = file;
        this.limit = limit;
        this.keep = keep;
        this.rollAt = limit;
    }

    /**
     * Opens the file if it is closed.
     *
     * @return the number of bytes of an incomplete last line that was removed; usually 0
     */
    long open() throws IOException {
        if (channel != null && !isSame()) {
            LOG.warn(
                    "history file {} was changed by another program, so it is opened again; check the chain with"
                            + " 'lychgate history verify'",
                    file);
            close();
        }
        if (channel != null) {
            return 0;
        }
        boolean opened = false;
        try {
            exclude();
            recover();
            opened = true;
        } finally {
            if (!opened) {
                close();
            }
        }
        long removed = torn;
        torn = 0;
        return removed;
    }

    private boolean isSame() {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return now.size() == size && Objects.equals(now.fileKey(), key);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Locks a separate file next to the history. With a lock on the history itself, any reader in this process would
     * end the lock by closing the history.
     */
    private void exclude() throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null && !Files.isDirectory(directory)) {
            FilterDirectory.createForUser(directory);
        }
        if (lock == null) {
            FileChannel locking = open(file.resolveSibling("." + file.getFileName() + ".lock"));
            lock = locking;
            try {
                if (!tryLock(locking)) {
                    throw new IOException("another process writes to this history");
                }
            } catch (OverlappingFileLockException e) {
                throw new IOException("another gateway in this process writes to this history", e);
            }
        }
    }

    /** Tries to lock the file. After an upgrade, waits until the old process has drained and ended. */
    private static boolean tryLock(FileChannel locking) throws IOException {
        while (Predecessor.isPresent() && !Thread.currentThread().isInterrupted()) {
            if (locking.tryLock() != null) {
                return true;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return locking.tryLock() != null;
    }

    /**
     * Opens or creates a file. Links are not followed, because a link in a directory of several users could lead to any
     * file.
     */
    private static FileChannel open(Path path) throws IOException {
        FileAttribute<?>[] forUser =
                path.getFileSystem().supportedFileAttributeViews().contains("posix")
                        ? new FileAttribute<?>[] {
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                        }
                        : new FileAttribute<?>[0];
        return FileChannel.open(
                path, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS), forUser);
    }

    private void recover() throws IOException {
        boolean isNew = Files.notExists(file, LinkOption.NOFOLLOW_LINKS);
        if (!isNew && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            // A pipe could block the thread, and a device has no end at which to append.
            throw new IOException("not a regular file");
        }
        FileChannel opened = open(file);
        channel = opened;
        End end = new End();
        Lines.visit(file, end);
        if (end.isForeign()) {
            throw new IOException("the file is not a history");
        }
        continueFrom(end);
        if (torn > 0) {
            opened.truncate(size);
            opened.force(true);
        }
        if (isNew) {
            forceDirectory();
        }
        key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    private void continueFrom(End end) throws IOException {
        List<Path> rolled = Lines.rolled(file);
        if (end.lines == 0 && !rolled.isEmpty()) {
            End earlier = new End();
            Lines.visit(rolled.get(rolled.size() - 1), earlier);
            end.number = earlier.number;
            end.head = earlier.head;
        }
        if (!known) {
            number = end.number;
            head = end.head;
            known = true;
        }
        first = end.first;
        size = end.whole;
        torn = end.torn;
    }

    /** Waits until the directory entry of a new file is on the disk. */
    private void forceDirectory() {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            return;
        }
        try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            entries.force(true);
        } catch (IOException e) {
            LOG.debug("{} can't be forced to the disk; some systems do not open directories", directory, e);
        }
    }

    /** The end of the chain in a file. */
    private static final class End implements Lines.Visitor {
        private long lines;
        private long first;
        private long number;
        private String head = Digest.NONE;
        private long whole;
        private long torn;
        private long entries;
        private boolean tornBegins;

        /**
         * Returns whether the file has lines but none of them belongs to a history. Such a file must not be changed.
         */
        boolean isForeign() {
            return entries == 0 && (lines > 0 || (torn > 0 && !tornBegins));
        }

        @Override
        public void line(byte[] line, boolean complete) {
            if (!complete) {
                torn = line.length;
                tornBegins = Entry.mayBegin(line);
                return;
            }
            lines++;
            whole += line.length;
            head = Digest.of(line);
            try {
                number = Entry.parse(line).number();
                entries++;
            } catch (IOException e) {
                // The chain continues even after a line that was changed; the verification reports that line.
                number++;
            }
            first = first == 0 ? number : first;
        }
    }

    /** Appends an entry and waits until it is on the disk. The file must be open. */
    Entry append(Change change) throws IOException {
        Entry entry = Entry.next(head, number + 1, change);
        byte[] line = entry.line();
        if (first > 0 && size + line.length > rollAt) {
            roll();
        }
        FileChannel open = Objects.requireNonNull(channel, "open");
        try {
            ByteBuffer bytes = ByteBuffer.wrap(line);
            while (bytes.hasRemaining()) {
                open.write(bytes, size + bytes.position());
            }
            open.force(false);
        } catch (IOException | RuntimeException e) {
            undo(open);
            throw e;
        }
        size += line.length;
        number = entry.number();
        head = entry.hash();
        first = first == 0 ? number : first;
        return entry;
    }

    private void undo(FileChannel open) {
        try {
            open.truncate(size);
        } catch (IOException e) {
            LOG.debug("after a failure, history file {} may end with an incomplete line", file, e);
        }
        close();
    }

    /**
     * Renames the full file and begins a new one. If renaming fails, the old file keeps growing until the next attempt.
     */
    private void roll() throws IOException {
        Path target = Lines.rolled(file, first);
        try {
            Files.move(file, target);
        } catch (IOException e) {
            rollAt = size + limit;
            LOG.warn(
                    "history file {} can't be renamed to {}, so it exceeds its size limit until the next attempt: {}",
                    file,
                    target,
                    e.toString());
            return;
        }
        closeFile();
        rollAt = limit;
        recover();
        deleteOldest();
    }

    private void deleteOldest() {
        try {
            List<Path> rolled = Lines.rolled(file);
            for (Path old : rolled.subList(0, Math.max(0, rolled.size() - keep))) {
                Files.deleteIfExists(old);
            }
        } catch (IOException e) {
            LOG.warn(
                    "the oldest rolled files of history file {} can't be deleted, so they occupy the disk until a later"
                            + " attempt: {}",
                    file,
                    e.toString());
        }
    }

    private void closeFile() {
        close(channel);
        channel = null;
    }

    private static void close(@Nullable FileChannel open) {
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            LOG.debug("a file of the history can't be closed", e);
        }
    }

    @Override
    public void close() {
        closeFile();
        close(lock);
        lock = null;
    }
}
