package dev.lychgate.filters.groovy;

import dev.lychgate.filter.FilterPhase;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the byte code of filters in a file, so that the next start of the gateway need not compile them. The file is
 * not used if it is incomplete or damaged, or if another user may have written it. It is also not used if it was
 * written with another gateway, class path or JVM. Methods block; used by one thread at a time.
 */
final class CompiledCache {
    private static final Logger LOG = LoggerFactory.getLogger(CompiledCache.class);
    private static final int FORMAT = 0x4c594301;
    /**
     * The maximum size of the file, in bytes. It is much larger than the byte code of a directory of the largest
     * permitted size.
     */
    private static final long LONGEST = 512L << 20;

    private final Path file;
    /**
     * The digest of the class path and the JVM at the start of the process, because jars may be replaced while the
     * process runs. If it is empty, the digest is unknown, and the cache is neither read nor written.
     */
    private final String environment;

    private boolean silent;

    CompiledCache(Path file) {
        this(file, environment(System.getProperty("java.class.path", "")));
    }

    CompiledCache(Path file, String environment) {
        this.file = file;
        this.environment = environment;
    }

    /** Returns the bundles in the file, by their prefixes. Empty if the file is missing or can't be used. */
    Map<String, CompiledBundle> read() {
        try {
            if (environment.isEmpty() || !Files.exists(file) || Files.size(file) > LONGEST) {
                return Map.of();
            }
            String doubt = doubt(file.toRealPath());
            if (doubt != null) {
                LOG.warn("the compiled filters in {} are not used: {}; the gateway compiles all filters", file, doubt);
                return Map.of();
            }
            byte[] all = Files.readAllBytes(file);
            MessageDigest sha = sha();
            int length = all.length - sha.getDigestLength();
            if (length < 0) {
                return Map.of();
            }
            sha.update(all, 0, length);
            if (!Arrays.equals(sha.digest(), Arrays.copyOfRange(all, length, all.length))) {
                return Map.of();
            }
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(all, 0, length));
            return in.readInt() == FORMAT && in.readUTF().equals(environment) ? bundles(in) : Map.of();
        } catch (IOException | RuntimeException e) {
            LOG.debug("the compiled filters in {} can't be read, so all filters are compiled", file, e);
            return Map.of();
        }
    }

    /**
     * Returns the reason why another user may have written the file. Returns null if no other user can have written it.
     * Code that another user may have written must not run.
     */
    private static @Nullable String doubt(Path file) throws IOException {
        Path directory = Objects.requireNonNull(file.getParent());
        if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return null;
        }
        for (Path each : List.of(file, directory)) {
            if (FilterDirectory.isWritableByOthers(each)) {
                return each + " is writable by every user";
            }
            int owner = owner(each);
            if (owner != 0 && owner != self(directory)) {
                return each + " belongs to another user";
            }
        }
        return null;
    }

    private static int owner(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid");
    }

    /**
     * Returns the id of the user that owns new files. The id is compared because a container may lack the names of
     * users.
     */
    private static int self(Path directory) throws IOException {
        Path own = Files.createTempFile(directory, "owner", null);
        try {
            return owner(own);
        } finally {
            Files.delete(own);
        }
    }

    /**
     * Replaces the file in one step. If the replacement fails, the previous file remains. The first failure is logged.
     */
    void write(Map<String, CompiledBundle> bundles) {
        if (environment.isEmpty()) {
            return;
        }
        Path written = null;
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeInt(FORMAT);
            out.writeUTF(environment);
            write(bundles, out);
            MessageDigest sha = sha();
            sha.update(bytes.toByteArray());
            bytes.write(sha.digest());
            Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
            FilterDirectory.createForUser(directory);
            // A temporary file is used, because another process may write the same cache. No other user can write the
            // temporary file.
            written = Files.createTempFile(directory, file.getFileName() + ".", ".new");
            Files.write(written, bytes.toByteArray());
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
            written = null;
        } catch (IOException | RuntimeException e) {
            if (!silent) {
                silent = true;
                LOG.warn(
                        "the compiled filters can't be saved in {}: {}; the next start compiles all filters",
                        file,
                        e.toString());
            }
        } finally {
            delete(written);
        }
    }

    private static void delete(@Nullable Path unfinished) {
        try {
            if (unfinished != null) {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            LOG.debug("{} can't be deleted", unfinished, e);
        }
    }

    private static void write(Map<String, CompiledBundle> bundles, DataOutputStream out) throws IOException {
        out.writeInt(bundles.size());
        for (Map.Entry<String, CompiledBundle> bundle : bundles.entrySet()) {
            out.writeUTF(bundle.getKey());
            out.writeUTF(bundle.getValue().libraries());
            out.writeInt(bundle.getValue().files().size());
            for (Map.Entry<String, CompiledFile> one : bundle.getValue().files().entrySet()) {
                out.writeUTF(one.getKey());
                out.writeUTF(one.getValue().digest());
                out.writeInt(one.getValue().classes().size());
                for (Map.Entry<String, byte[]> type : one.getValue().classes().entrySet()) {
                    out.writeUTF(type.getKey());
                    out.writeInt(type.getValue().length);
                    out.write(type.getValue());
                }
                out.writeInt(one.getValue().filters().size());
                for (FilterDeclarations.Declared filter : one.getValue().filters()) {
                    write(filter, out);
                }
            }
        }
    }

    private static void write(FilterDeclarations.Declared filter, DataOutputStream out) throws IOException {
        out.writeUTF(filter.className());
        out.writeUTF(filter.file());
        out.writeUTF(filter.baseName());
        out.writeUTF(filter.phase().name());
        out.writeInt(filter.line());
        out.writeInt(filter.settings().size());
        for (Map.Entry<String, Integer> setting : filter.settings().entrySet()) {
            out.writeUTF(setting.getKey());
            out.writeInt(setting.getValue());
        }
    }

    private static Map<String, CompiledBundle> bundles(DataInputStream in) throws IOException {
        Map<String, CompiledBundle> bundles = new HashMap<>();
        for (int bundle = in.readInt(); bundle > 0; bundle--) {
            String prefix = in.readUTF();
            String libraries = in.readUTF();
            Map<String, CompiledFile> files = new HashMap<>();
            for (int file = in.readInt(); file > 0; file--) {
                String path = in.readUTF();
                String digest = in.readUTF();
                Map<String, byte[]> classes = new HashMap<>();
                for (int type = in.readInt(); type > 0; type--) {
                    classes.put(in.readUTF(), in.readNBytes(in.readInt()));
                }
                List<FilterDeclarations.Declared> filters = new ArrayList<>();
                for (int filter = in.readInt(); filter > 0; filter--) {
                    filters.add(filter(in));
                }
                files.put(path, new CompiledFile(digest, classes, filters));
            }
            bundles.put(prefix, new CompiledBundle(libraries, files));
        }
        return bundles;
    }

    private static FilterDeclarations.Declared filter(DataInputStream in) throws IOException {
        String className = in.readUTF();
        String file = in.readUTF();
        String baseName = in.readUTF();
        FilterPhase phase = FilterPhase.valueOf(in.readUTF());
        int line = in.readInt();
        // The constructor of a script expects its settings in this order.
        Map<String, Integer> settings = new LinkedHashMap<>();
        for (int setting = in.readInt(); setting > 0; setting--) {
            settings.put(in.readUTF(), in.readInt());
        }
        return new FilterDeclarations.Declared(className, file, baseName, phase, line, settings);
    }

    /**
     * Returns a digest of the JVM and of the paths, sizes and times of the files on the class path. Byte code depends
     * on the JVM and these files.
     */
    static String environment(String classPath) {
        MessageDigest sha = sha();
        add(sha, Runtime.version() + System.getProperty("java.vm.vendor", ""));
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            add(sha, entry);
            if (entry.isEmpty()) {
                // An empty entry, as in "a.jar:", means the working directory, and is a mistake in most cases. It is
                // skipped, because the files in the working directory, such as logs, differ at each start.
                continue;
            }
            try (Stream<Path> files = Files.walk(Path.of(entry))) {
                for (Path each : files.sorted().toList()) {
                    BasicFileAttributes state = Files.readAttributes(each, BasicFileAttributes.class);
                    add(sha, each + " " + state.size() + " " + state.lastModifiedTime());
                }
            } catch (NoSuchFileException e) {
                // A missing entry is ignored, as the JVM ignores it.
            } catch (IOException | RuntimeException e) {
                return "";
            }
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    private static void add(MessageDigest sha, String part) {
        sha.update((part + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static MessageDigest sha() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JVM lacks SHA-256", e);
        }
    }
}
