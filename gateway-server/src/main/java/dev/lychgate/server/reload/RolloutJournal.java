package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.libraries.Sha256;
import dev.lychgate.server.admin.RolloutRequest;
import dev.lychgate.server.yaml.ConfigTexts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file from which a restart reads the stable generation while the files on disk belong to a candidate. The journal
 * contains the texts of the stable configuration without values of the environment, and refers to the
 * {@link LastGood last good} filters. The journal is replaced as a whole, and is on the disk before the candidate gets
 * traffic. Only the user of the process can read the journal. If the journal cannot be written, a warning is logged,
 * and the rollout runs without a journal. Used by one thread at a time.
 */
final class RolloutJournal {
    private static final Logger LOG = LoggerFactory.getLogger(RolloutJournal.class);
    private static final String MAGIC = "lychgate rollout 1";
    private static final int LARGEST = 64 << 20;
    private static final int DIGEST = 32;

    private final Path directory;
    private final Path file;

    /** The state of the rollout whose candidate was built from the files on disk. */
    enum Stage {
        UNDER_WAY,
        ABORTED
    }

    /**
     * The content of the journal.
     *
     * @param candidate the {@link FilesRead#onDisk fingerprint} of the candidate's files
     * @param reason the reason for the abort; empty before an abort
     * @param request the rollout that an operator requested in place of the configured rollout
     * @param stable the configuration of the stable generation
     * @param filters the fingerprint of the filters of the stable generation; empty without a filter directory
     */
    record Entry(
            Stage stage, String candidate, String reason, RolloutRequest request, ConfigTexts stable, String filters) {
        Entry aborted(String why) {
            return new Entry(Stage.ABORTED, candidate, why, request, stable, filters);
        }

        Entry of(String otherCandidate) {
            return new Entry(stage, otherCandidate, reason, request, stable, filters);
        }

        Entry with(ConfigTexts otherStable, String otherFilters) {
            return new Entry(stage, candidate, reason, request, otherStable, otherFilters);
        }
    }

    /** @param directory the directory of the journal; created when it is first needed */
    private RolloutJournal(Path directory, String name) {
        this.directory = directory;
        this.file = directory.resolve(name);
    }

    /** Returns the journal in the directory {@code .lychgate} next to a configuration file. */
    static RolloutJournal beside(Path config) {
        Path whole = config.toAbsolutePath();
        return new RolloutJournal(whole.resolveSibling(".lychgate"), "rollout-" + whole.getFileName());
    }

    Path file() {
        return file;
    }

    /**
     * Replaces the content. After a success, the content is on the disk.
     *
     * @return whether the content was written; a failure is logged
     */
    boolean write(Entry entry) {
        try {
            FilterDirectory.createForUser(directory);
            Path next = file.resolveSibling(file.getFileName() + ".new");
            Files.deleteIfExists(next);
            try (FileChannel channel = FileChannel.open(
                    next, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), forUser(file))) {
                ByteBuffer bytes = ByteBuffer.wrap(bytes(entry));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            OnDisk.force(directory);
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "the state of the rollout can't be saved in {}: {}; until a later state is saved, a restart would start"
                            + " with the files on disk, which belong to the candidate",
                    file,
                    e.toString());
            clear();
            return false;
        }
    }

    /** Deletes the journal, so that a restart uses the files on disk. */
    void clear() {
        try {
            if (Files.deleteIfExists(file)) {
                OnDisk.force(directory);
            }
        } catch (IOException | RuntimeException e) {
            LOG.error(
                    "rollout journal {} can't be deleted: {}; delete this file, or a restart may start with an outdated"
                            + " stable generation",
                    file,
                    e.toString());
        }
    }

    /**
     * Returns the content; null if there is no journal, or if it is damaged.
     *
     * @param main the configuration file
     */
    @Nullable
    Entry read(Path main) {
        try {
            if (!Files.exists(file)) {
                return null;
            }
            byte[] bytes;
            try (var in = Files.newInputStream(file)) {
                bytes = in.readNBytes(LARGEST + 1);
            }
            if (bytes.length > LARGEST || bytes.length < DIGEST) {
                throw new IOException("the journal has a size of " + bytes.length + " bytes");
            }
            return entry(bytes, main);
        } catch (IOException | IllegalArgumentException e) {
            LOG.error(
                    "rollout journal {} is damaged: {}; the gateway ignores this file and starts with the configuration"
                            + " files on disk",
                    file,
                    e.toString());
            return null;
        }
    }

    private static FileAttribute<?>[] forUser(Path of) {
        return of.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    // ---- the format: the length of each string and list precedes it; a digest of all previous bytes is at the end

    private static byte[] bytes(Entry entry) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        write(out, MAGIC);
        write(out, entry.stage.name());
        write(out, entry.candidate);
        write(out, entry.reason);
        write(out, entry.request.written());
        write(out, entry.filters);
        ConfigTexts stable = entry.stable;
        write(out, stable.relative(stable.main()));
        out.writeInt(stable.files().size());
        for (Map.Entry<Path, String> each : stable.files().entrySet()) {
            write(out, stable.relative(each.getKey()));
            write(out, each.getValue());
        }
        out.writeInt(stable.patterns().size());
        for (Map.Entry<Path, List<Path>> each : stable.patterns().entrySet()) {
            write(out, stable.relative(each.getKey()));
            out.writeInt(each.getValue().size());
            for (Path match : each.getValue()) {
                write(out, stable.relative(match));
            }
        }
        out.write(Sha256.start().digest(bytes.toByteArray()));
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** @throws IllegalArgumentException if a value is unknown */
    private static Entry entry(byte[] bytes, Path main) throws IOException {
        byte[] content = Arrays.copyOf(bytes, bytes.length - DIGEST);
        byte[] digest = Arrays.copyOfRange(bytes, content.length, bytes.length);
        if (!Arrays.equals(digest, Sha256.start().digest(content))) {
            throw new IOException("the digest of the journal does not match its content");
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
        if (!read(in).equals(MAGIC)) {
            throw new IOException("the journal has another format version");
        }
        Stage stage = Stage.valueOf(read(in));
        String candidate = read(in);
        String reason = read(in);
        RolloutRequest request = RolloutRequest.read(read(in));
        String filters = read(in);
        if (!path(in, main).equals(ConfigTexts.directory(main).resolve(main.getFileName()))) {
            throw new IOException("the journal belongs to another configuration file");
        }
        Map<Path, String> files = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            files.put(path(in, main), read(in));
        }
        Map<Path, List<Path>> patterns = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            Path pattern = path(in, main);
            List<Path> matches = new ArrayList<>();
            for (int more = in.readInt(); more > 0; more--) {
                matches.add(path(in, main));
            }
            patterns.put(pattern, matches);
        }
        return new Entry(stage, candidate, reason, request, new ConfigTexts(main, files, patterns), filters);
    }

    private static Path path(DataInputStream in, Path main) throws IOException {
        String text = read(in);
        try {
            return ConfigTexts.directory(main).resolve(text).normalize();
        } catch (InvalidPathException e) {
            throw new IOException("the journal contains a malformed path", e);
        }
    }

    private static String read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("the journal is truncated");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
