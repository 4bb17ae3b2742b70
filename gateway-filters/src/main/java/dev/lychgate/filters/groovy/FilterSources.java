package dev.lychgate.filters.groovy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/** All files of filter code at one time, in the order of their paths. Immutable. */
public final class FilterSources {
    /** No files. */
    public static final FilterSources NONE = of(List.of());

    private final List<FilterSource> files;
    private final List<String> warnings;
    private final List<IgnoredFile> ignored;
    private final String fingerprint;

    private FilterSources(Collection<FilterSource> files, List<String> warnings, List<IgnoredFile> ignored) {
        this.files =
                files.stream().sorted(Comparator.comparing(FilterSource::path)).toList();
        this.warnings = List.copyOf(warnings);
        this.ignored = List.copyOf(ignored);
        this.fingerprint = digest(this.files);
    }

    public static FilterSources of(Collection<FilterSource> files) {
        return new FilterSources(files, List.of(), List.of());
    }

    /** @param warnings what should be told to whoever runs the gateway, one line each */
    static FilterSources of(Collection<FilterSource> files, List<String> warnings, List<IgnoredFile> ignored) {
        return new FilterSources(files, warnings, ignored);
    }

    public List<FilterSource> files() {
        return files;
    }

    /** What is unwise about the directory, but no reason to refuse it; one line each. */
    public List<String> warnings() {
        return warnings;
    }

    /** Files of the directory that look like filters and are not used. */
    public List<IgnoredFile> ignored() {
        return ignored;
    }

    /** SHA-256 of paths and texts, in hexadecimal digits: the same for the same files, whenever and wherever they are read. */
    public String fingerprint() {
        return fingerprint;
    }

    private static String digest(List<FilterSource> files) {
        MessageDigest sha;
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
        for (FilterSource file : files) {
            add(sha, file.path());
            add(sha, file.text());
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    /** With its length before it, so that nothing can move from one part to the next unseen. */
    private static void add(MessageDigest sha, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        sha.update(bytes);
    }

    @Override
    public String toString() {
        return files.size() + " files, " + fingerprint.substring(0, 12);
    }
}
