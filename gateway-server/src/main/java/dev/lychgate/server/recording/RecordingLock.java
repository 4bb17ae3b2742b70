package dev.lychgate.server.recording;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The exclusive right to write and rename a recording, among all processes. The locked file is an empty file next to
 * the recording. Its name ends with {@link #SUFFIX}.
 *
 * <p>A process loses its locks on a file as soon as it closes any descriptor of the file. Therefore, neither readers
 * nor a second lock attempt of this process open the locked file. That file is never deleted, because two later
 * processes could then lock different files of the same name. Thread-safe.
 */
final class RecordingLock implements Closeable {
    /** The name of the locked file ends with this suffix. */
    static final String SUFFIX = ".lock";

    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path name;
    private final FileChannel file;

    private RecordingLock(Path name, FileChannel file) {
        this.name = name;
        this.file = file;
    }

    /**
     * Acquires the lock of a recording, which may not exist yet.
     *
     * @throws FileSystemException if another writer holds the lock
     */
    static RecordingLock of(Path recording) throws IOException {
        // No lock file is created next to a file that belongs to another user.
        PrivateFile.check(recording);
        Path name = name(recording);
        if (!HELD.add(name)) {
            throw held(recording);
        }
        boolean acquired = false;
        FileChannel file = null;
        try {
            file = PrivateFile.open(name);
            acquired = file.tryLock() != null;
            if (!acquired) {
                throw held(recording);
            }
            return new RecordingLock(name, file);
        } finally {
            if (!acquired) {
                if (file != null) {
                    file.close();
                }
                HELD.remove(name);
            }
        }
    }

    /**
     * Returns the path of the file to lock. A recording and its older part share one lock, because a recording is
     * renamed to the older part.
     */
    private static Path name(Path recording) throws IOException {
        String file = String.valueOf(recording.getFileName());
        String both = file.endsWith(RecordingFormat.OLDER)
                ? file.substring(0, file.length() - RecordingFormat.OLDER.length())
                : file;
        return PrivateFile.directory(recording).toRealPath().resolve(both + SUFFIX);
    }

    private static FileSystemException held(Path recording) {
        return new FileSystemException(recording.toString(), null, "another process records into this file");
    }

    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            HELD.remove(name);
        }
    }
}
