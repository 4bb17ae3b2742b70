package dev.lychgate.server.recording;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Appends exchanges to a recording. Only the owner can read the file, and a {@link RecordingLock} excludes other
 * writers. Used by one thread.
 *
 * <p>{@link #flush} writes a block and the end mark by a single write. A failure of the system therefore leaves at most
 * one incomplete block, at the end. After a failed write, the file is truncated to its last complete block.
 *
 * <p>The next writer removes an incomplete block from an unencrypted recording. It refuses an encrypted recording
 * without an end mark, because a new end mark would conceal missing blocks.
 */
public final class RecordingWriter implements Closeable {
    /** If the waiting lines reach this size in bytes, a block is written without a call of {@link #flush}. */
    private static final int FULL = 256 << 10;

    private final FileChannel file;
    private final @Nullable RecordingKey key;
    private final @Nullable RecordingLock lock;
    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    private int waiting;
    private byte[] header = {};
    private long blocks;
    private long end;

    private RecordingWriter(FileChannel file, @Nullable RecordingKey key, @Nullable RecordingLock lock) {
        this.file = file;
        this.key = key;
        this.lock = lock;
    }

    /**
     * Opens or creates a recording. Removes the permissions of other users. If the recording is not encrypted, also
     * removes an incomplete block at its end. The writer holds the lock of the recording until the writer is closed.
     *
     * @param key the key; null for a recording without encryption
     * @throws RecordingException if the file is not a recording, is damaged, is encrypted differently, or is encrypted
     *     and has no end mark
     * @throws java.nio.file.FileSystemException if another process records into the file, if the file is a link, or if
     *     it belongs to another user
     */
    public static RecordingWriter open(Path path, @Nullable RecordingKey key) throws IOException {
        RecordingLock lock = RecordingLock.of(path);
        try {
            return open(path, key, lock);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Works like {@link #open(Path, RecordingKey)}, under a lock that the caller has acquired.
     *
     * @param lock the lock, if the writer has to close it; null if the caller closes it
     */
    static RecordingWriter open(Path path, @Nullable RecordingKey key, @Nullable RecordingLock lock)
            throws IOException {
        FileChannel file = PrivateFile.open(path);
        try {
            RecordingWriter writer = new RecordingWriter(file, key, lock);
            writer.begin(path);
            return writer;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private void begin(Path path) throws IOException {
        if (file.size() < RecordingFormat.HEADER) {
            ByteBuffer first = ByteBuffer.allocate((int) file.size());
            file.read(first, 0);
            if (!startsLikeHeader(first.array())) {
                throw new RecordingException(path + ": not a recording of Lychgate");
            }
            PrivateFile.tighten(path);
            create();
            return;
        }
        try (RecordingReader reader = RecordingReader.open(path, key)) {
            // The permissions change only now, because the reader has verified that the file is a recording.
            PrivateFile.tighten(path);
            header = reader.header();
            if (reader.isEncrypted() != (key != null)) {
                throw new RecordingException(path
                        + (key == null
                                ? ": encrypted, but no key is configured"
                                : ": not encrypted, but a key is configured"));
            }
            reader.skipAll();
            blocks = reader.blocks();
            end = reader.end();
            if (!reader.isTruncated()) {
                return;
            }
        }
        if (blocks == 0) {
            create();
        } else if (key == null) {
            file.truncate(end);
            writeAt(ByteBuffer.wrap(endMark(blocks)), end);
        } else {
            throw new RecordingException(path + ": the end of the recording is missing");
        }
    }

    private static boolean startsLikeHeader(byte[] bytes) {
        for (int i = 0; i < Math.min(bytes.length, RecordingFormat.MAGIC.length); i++) {
            if (bytes[i] != RecordingFormat.MAGIC[i]) {
                return false;
            }
        }
        return true;
    }

    private void create() throws IOException {
        byte[] id = new byte[RecordingFormat.ID];
        new SecureRandom().nextBytes(id);
        header = ByteBuffer.allocate(RecordingFormat.HEADER)
                .put(RecordingFormat.MAGIC)
                .putShort(RecordingFormat.VERSION)
                .putShort(key == null ? 0 : RecordingFormat.ENCRYPTED)
                .put(id)
                .array();
        file.truncate(0);
        end = header.length;
        byte[] mark = endMark(0);
        writeAt(
                ByteBuffer.allocate(header.length + mark.length)
                        .put(header)
                        .put(mark)
                        .flip(),
                0);
    }

    /** Returns the length of the file in bytes, without the end mark and without the lines that are not written yet. */
    public long length() {
        return end;
    }

    /**
     * Adds an exchange, and writes a block if enough lines are waiting.
     *
     * @return false if the exchange is too long for a recording
     * @throws IOException if a block can't be written; the exchanges in it are lost
     */
    public boolean add(byte[] line) throws IOException {
        if (line.length > RecordingFormat.MOST_LINES) {
            return false;
        }
        if (lines.size() + line.length > RecordingFormat.MOST_LINES) {
            flush();
        }
        lines.writeBytes(line);
        waiting++;
        if (lines.size() >= FULL || waiting == RecordingFormat.MOST_EXCHANGES) {
            flush();
        }
        return true;
    }

    /**
     * Writes the waiting lines, if there are any.
     *
     * @throws IOException if the lines can't be written; in this case, the lines are lost
     */
    public void flush() throws IOException {
        if (lines.size() == 0) {
            return;
        }
        byte[] plain = lines.toByteArray();
        lines.reset();
        waiting = 0;
        byte[] stored = compressed(plain);
        if (key != null) {
            stored = key.encrypt(stored, header, blocks, false);
        }
        append(RecordingFormat.block(RecordingFormat.BLOCK, stored, plain.length));
    }

    /** Replaces the end mark by a block and a new end mark. */
    private void append(byte[] block) throws IOException {
        byte[] mark = endMark(blocks + 1);
        try {
            writeAt(
                    ByteBuffer.allocate(block.length + mark.length)
                            .put(block)
                            .put(mark)
                            .flip(),
                    end);
        } catch (IOException e) {
            restore(e);
            throw e;
        }
        end += block.length;
        blocks++;
    }

    /** Truncates the file to the last complete block, and writes the end mark after it. */
    private void restore(IOException cause) {
        try {
            file.truncate(end);
            writeAt(ByteBuffer.wrap(endMark(blocks)), end);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    private byte[] endMark(long number) {
        byte[] stored = key == null ? new byte[0] : key.encrypt(new byte[0], header, number, true);
        return RecordingFormat.block(RecordingFormat.END, stored, 0);
    }

    private byte[] compressed(byte[] plain) {
        deflater.reset();
        deflater.setInput(plain);
        deflater.finish();
        ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 4 + 64);
        byte[] buffer = new byte[16 << 10];
        while (!deflater.finished()) {
            out.write(buffer, 0, deflater.deflate(buffer));
        }
        return out.toByteArray();
    }

    private void writeAt(ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += file.write(bytes, at);
        }
    }

    /** Writes the waiting lines and closes the file. */
    @Override
    public void close() throws IOException {
        try {
            flush();
        } finally {
            deflater.end();
            try {
                file.close();
            } finally {
                if (lock != null) {
                    lock.close();
                }
            }
        }
    }
}
