package dev.lychgate.server.recording;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording, exchange by exchange. An attacker may have written the file, so every length is checked before
 * memory is allocated. The reader holds at most one block in memory. The file may grow while it is read. An incomplete
 * block at the end is ignored, because a failure of the system may have interrupted its write. Not thread-safe.
 */
public final class RecordingReader implements Closeable {
    private final Path path;
    private final FileChannel file;
    private long length;
    private final @Nullable RecordingKey key;
    private final byte[] header;
    private final boolean encrypted;
    private final Deque<byte[]> lines = new ArrayDeque<>();
    private long blocks;
    private long end;
    private boolean truncated;

    private RecordingReader(Path path, FileChannel file, @Nullable RecordingKey key) throws IOException {
        this.path = path;
        this.file = file;
        this.length = file.size();
        this.key = key;
        this.header = bytes(0, (int) Math.min(RecordingFormat.HEADER, length));
        byte[] magic = Arrays.copyOf(header, RecordingFormat.MAGIC.length);
        if (header.length < RecordingFormat.HEADER || !Arrays.equals(magic, RecordingFormat.MAGIC)) {
            throw new RecordingException(path + ": not a recording of Lychgate");
        }
        ByteBuffer rest = ByteBuffer.wrap(header, magic.length, 4);
        int version = rest.getShort();
        int flags = rest.getShort();
        if (version != RecordingFormat.VERSION || (flags & ~RecordingFormat.ENCRYPTED) != 0) {
            throw new RecordingException(path + ": version " + version + " with flags " + flags + " (expected: version "
                    + RecordingFormat.VERSION + ")");
        }
        this.encrypted = flags == RecordingFormat.ENCRYPTED;
        this.end = header.length;
    }

    /**
     * Opens a recording.
     *
     * @param key the key of an encrypted recording; null if there is no key
     * @throws RecordingException if the file is not a recording
     */
    public static RecordingReader open(Path path, @Nullable RecordingKey key) throws IOException {
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        try {
            return new RecordingReader(path, file, key);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    public boolean isEncrypted() {
        return encrypted;
    }

    /**
     * Returns whether the end mark is missing. It is missing if the file was truncated, or if the system failed during
     * a write. The result is valid after the last exchange was read.
     */
    public boolean isTruncated() {
        return truncated;
    }

    byte[] header() {
        return header;
    }

    /** Returns the number of complete blocks read so far. */
    long blocks() {
        return blocks;
    }

    /** Returns the position in the file after the last complete block read so far. */
    long end() {
        return end;
    }

    /** Reads all blocks without decoding their contents, and verifies the checksums and the end mark. */
    void skipAll() throws IOException {
        while (stored() != null) {
            // Each call verifies the checksum of a block.
        }
    }

    /**
     * Skips the blocks that begin before a position, without reading their contents. Must be called before the first
     * exchange is read.
     */
    void skipTo(long position) throws IOException {
        while (end < position && stored(false) != null) {
            // Each call reads only the header of a block.
        }
    }

    /**
     * Returns the last line that satisfies a condition. Reads blocks from the newest to the oldest. May be called only
     * once, on a new reader.
     *
     * @return the JSON of an exchange; null if no line satisfies the condition
     */
    byte @Nullable [] last(Predicate<byte[]> property) throws IOException {
        LongStream.Builder starts = LongStream.builder();
        for (long start = end; stored(false) != null; start = end) {
            starts.add(start);
        }
        long[] all = starts.build().toArray();
        for (int i = all.length - 1; i >= 0; i--) {
            end = all[i];
            blocks = i;
            split(plain(requireNonNull(stored())));
            byte[] found = null;
            for (byte[] line = lines.poll(); line != null; line = lines.poll()) {
                found = property.test(line) ? line : found;
            }
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /**
     * Returns the next exchange; null after the last exchange.
     *
     * @throws RecordingException if the recording is malformed
     */
    public @Nullable Recording next() throws IOException {
        byte[] line = nextLine();
        try {
            return line == null ? null : RecordingJson.read(line);
        } catch (RecordingException e) {
            throw new RecordingException(path + ", block " + blocks + ": " + e.getMessage());
        }
    }

    /** Returns the JSON of the next exchange; null after the last exchange. */
    public byte @Nullable [] nextLine() throws IOException {
        while (lines.isEmpty()) {
            Stored block = stored();
            if (block == null) {
                return null;
            }
            split(plain(block));
        }
        return lines.poll();
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Stored(byte[] bytes, int plainLength) {}

    /** @return the next block with its contents; null after the last one */
    private @Nullable Stored stored() throws IOException {
        return stored(true);
    }

    /** @param contents whether to read the contents and to verify their checksum */
    private @Nullable Stored stored(boolean contents) throws IOException {
        if (length - end < RecordingFormat.BLOCK_HEADER) {
            truncated = true;
            return null;
        }
        ByteBuffer head = ByteBuffer.wrap(bytes(end, RecordingFormat.BLOCK_HEADER));
        int own = RecordingFormat.checksum(head.array(), RecordingFormat.CHECKED);
        int marker = head.getInt();
        boolean last = marker == RecordingFormat.END;
        if ((!last && marker != RecordingFormat.BLOCK) || own != head.getInt(RecordingFormat.CHECKED)) {
            throw damaged("no block begins here");
        }
        int stored = head.getInt();
        int plain = head.getInt();
        int sum = head.getInt();
        if (last) {
            readEnd(stored, plain, sum);
            return null;
        }
        if (stored <= 0 || stored > RecordingFormat.MOST_STORED || plain <= 0 || plain > RecordingFormat.MOST_LINES) {
            throw damaged("a block of " + stored + " bytes for " + plain + " bytes of lines is out of range");
        }
        if (plain > (long) stored * RecordingFormat.MOST_RATIO) {
            throw damaged("a block of " + stored + " bytes can't contain " + plain + " bytes of lines");
        }
        if (isBeyond(stored)) {
            truncated = true;
            return null;
        }
        byte[] bytes = contents ? bytes(end + RecordingFormat.BLOCK_HEADER, stored) : new byte[0];
        if (contents && RecordingFormat.checksum(bytes, stored) != sum) {
            throw damaged("the checksum differs");
        }
        end += RecordingFormat.BLOCK_HEADER + stored;
        blocks++;
        return new Stored(bytes, plain);
    }

    /**
     * Returns whether a block is incomplete. Reads the length of the file again if necessary, because a writer may have
     * completed the block meanwhile.
     */
    private boolean isBeyond(int stored) throws IOException {
        if (stored > length - end - RecordingFormat.BLOCK_HEADER) {
            length = file.size();
        }
        return stored > length - end - RecordingFormat.BLOCK_HEADER;
    }

    private void readEnd(int stored, int plain, int sum) throws IOException {
        if (stored < 0 || stored > RecordingFormat.LONGEST_END || plain != 0) {
            throw damaged("the end mark is malformed");
        }
        if (isBeyond(stored)) {
            truncated = true;
            return;
        }
        if (stored < length - end - RecordingFormat.BLOCK_HEADER) {
            throw damaged("bytes follow the end mark");
        }
        byte[] bytes = bytes(end + RecordingFormat.BLOCK_HEADER, stored);
        if (RecordingFormat.checksum(bytes, stored) != sum) {
            throw damaged("the checksum differs");
        }
        if (encrypted && key != null) {
            decrypted(key, bytes, blocks, true);
        }
    }

    private byte[] decrypted(RecordingKey by, byte[] bytes, long number, boolean last) throws RecordingException {
        try {
            return by.decrypt(bytes, header, number, last);
        } catch (RecordingException e) {
            throw damaged(String.valueOf(e.getMessage()));
        }
    }

    private byte[] plain(Stored block) throws RecordingException {
        byte[] compressed = block.bytes();
        if (encrypted) {
            if (key == null) {
                throw new RecordingException(path + ": the recording is encrypted (expected: a key)");
            }
            compressed = decrypted(key, compressed, blocks - 1, false);
        }
        byte[] plain = new byte[block.plainLength()];
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(compressed);
            int read = 0;
            while (read < plain.length && !inflater.finished()) {
                int more = inflater.inflate(plain, read, plain.length - read);
                if (more == 0) {
                    break;
                }
                read += more;
            }
            // A compressed stream that is longer than its header states still returns output here.
            if (read < plain.length || inflater.inflate(new byte[1]) > 0) {
                throw damaged("the lines are not " + plain.length + " bytes long");
            }
        } catch (DataFormatException e) {
            throw damaged("the compressed bytes are malformed");
        } finally {
            inflater.end();
        }
        return plain;
    }

    private void split(byte[] plain) throws RecordingException {
        int from = 0;
        for (int i = 0; i < plain.length; i++) {
            if (plain[i] == '\n') {
                if (lines.size() == RecordingFormat.MOST_EXCHANGES) {
                    throw damaged("more than " + RecordingFormat.MOST_EXCHANGES + " lines");
                }
                lines.add(Arrays.copyOfRange(plain, from, i));
                from = i + 1;
            }
        }
        if (from != plain.length) {
            throw damaged("the last line is incomplete");
        }
    }

    private RecordingException damaged(String how) {
        return new RecordingException(path + ": damaged at byte " + end + ": " + how);
    }

    private byte[] bytes(long from, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, from + bytes.position()) < 0) {
                throw new RecordingException(path + ": the file became shorter while it was read");
            }
        }
        return bytes.array();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
