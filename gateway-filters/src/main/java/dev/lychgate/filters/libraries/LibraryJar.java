package dev.lychgate.filters.libraries;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The unpacked content of a jar, in memory. If the jar is a multi-release jar, it contains the entries for the running
 * JDK. Signatures are not verified.
 *
 * <p>Later changes of the file have no effect on this object. It need not be closed.
 */
public final class LibraryJar {
    /** The maximum number of unpacked bytes of a jar. */
    public static final int MOST_BYTES = 128 << 20;

    /** The jars in use, by the state of their files. With this map, a reload does not read an unchanged jar again. */
    private static final Map<String, WeakReference<LibraryJar>> KNOWN = new ConcurrentHashMap<>();

    private static final String CLASS = ".class";

    private static final Pattern COMMENT = Pattern.compile("#.*");

    private final Path file;
    private final String digest;
    private final SortedMap<String, byte[]> entries;
    private final int size;
    private final @Nullable Manifest manifest;

    private LibraryJar(
            Path file, String digest, SortedMap<String, byte[]> entries, int size, @Nullable Manifest manifest) {
        this.file = file;
        this.digest = digest;
        this.entries = entries;
        this.size = size;
        this.manifest = manifest;
    }

    /**
     * Reads a whole jar. If the file has been read before and is unchanged, returns the jar from the earlier read.
     *
     * @throws IOException if the file is not a complete jar, has more than {@link #MOST_BYTES} of content, or is being
     *     written
     */
    public static LibraryJar read(Path file) throws IOException {
        return read(file, MOST_BYTES);
    }

    /**
     * Reads a jar.
     *
     * @param most the maximum number of unpacked bytes; values above {@link #MOST_BYTES} have no effect
     */
    public static LibraryJar read(Path file, long most) throws IOException {
        KNOWN.values().removeIf(reference -> reference.get() == null);
        String state = state(file);
        WeakReference<LibraryJar> reference = KNOWN.get(state);
        LibraryJar known = reference == null ? null : reference.get();
        if (known != null && known.size <= most) {
            return known;
        }
        LibraryJar jar = unpack(file, (int) Math.min(MOST_BYTES, Math.max(0, most)));
        if (!state(file).equals(state)) {
            throw new IOException("it was written while it was read");
        }
        KNOWN.put(state, new WeakReference<>(jar));
        return jar;
    }

    private static String state(Path file) throws IOException {
        return file.toRealPath() + " " + FileState.of(file).text();
    }

    private static LibraryJar unpack(Path file, int most) throws IOException {
        SortedMap<String, byte[]> entries = new TreeMap<>();
        int left = most;
        try (JarFile jar = new JarFile(file.toFile(), false, ZipFile.OPEN_READ, JarFile.runtimeVersion())) {
            for (JarEntry entry : jar.versionedStream().toList()) {
                if (!entry.isDirectory()) {
                    try (InputStream content = jar.getInputStream(entry)) {
                        byte[] bytes = content.readNBytes(left + 1);
                        left -= bytes.length;
                        if (left < 0) {
                            throw new IOException(
                                    most == MOST_BYTES
                                            ? "more than " + (MOST_BYTES >> 20) + " MiB of content"
                                            : "more content than fits into the remaining " + (most >> 10)
                                                    + " KiB of the memory for jars");
                        }
                        entries.put(entry.getName(), bytes);
                    }
                }
            }
            return new LibraryJar(file, digest(file), entries, most - left, jar.getManifest());
        } catch (IllegalArgumentException | SecurityException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Returns the SHA-256 of a file, in hexadecimal digits. */
    public static String digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digested = new DigestInputStream(in, Sha256.start())) {
            digested.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digested.getMessageDigest().digest());
        }
    }

    /** Returns the file that was read, which may have changed after the read. */
    public Path file() {
        return file;
    }

    /** Returns the number of unpacked bytes of the jar. */
    public int size() {
        return size;
    }

    /** Returns the SHA-256 of the jar's file, in hexadecimal digits. */
    public String digest() {
        return digest;
    }

    /**
     * Returns {@code Implementation-Version} of the manifest. If it is missing, returns {@code Bundle-Version}; null if
     * both are missing.
     */
    public @Nullable String version() {
        String version = attribute(Attributes.Name.IMPLEMENTATION_VERSION);
        return version != null ? version : attribute(new Attributes.Name("Bundle-Version"));
    }

    @Nullable
    String attribute(Attributes.Name name) {
        return manifest == null ? null : manifest.getMainAttributes().getValue(name);
    }

    /**
     * Returns the content of all entries, by the names of the entries, sorted. The map and the arrays must not be
     * modified.
     */
    SortedMap<String, byte[]> entries() {
        return entries;
    }

    /**
     * Returns the byte code of the classes of a package, by the names of the classes. The arrays must not be modified.
     */
    public Map<String, byte[]> classesIn(String packageName) {
        Map<String, byte[]> classes = new LinkedHashMap<>();
        String prefix = packageName.isEmpty() ? "" : packageName.replace('.', '/') + "/";
        for (Map.Entry<String, byte[]> entry : entries.tailMap(prefix).entrySet()) {
            String file = entry.getKey();
            if (!file.startsWith(prefix)) {
                break;
            }
            if (file.endsWith(CLASS) && file.indexOf('/', prefix.length()) < 0) {
                classes.put(file.substring(0, file.length() - CLASS.length()).replace('/', '.'), entry.getValue());
            }
        }
        return classes;
    }

    /** Returns the content of an entry, which must exist. The array must not be modified. */
    byte[] content(String entry) {
        return Objects.requireNonNull(entries.get(entry));
    }

    /** Returns the classes that the jar lists as providers of {@code service}. */
    public List<String> providers(String service) {
        byte[] list = entries.get("META-INF/services/" + service);
        return list == null
                ? List.of()
                : new String(list, StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> COMMENT.matcher(line).replaceFirst("").strip())
                        .filter(line -> !line.isEmpty())
                        .distinct()
                        .toList();
    }
}
