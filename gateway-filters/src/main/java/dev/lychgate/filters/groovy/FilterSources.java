package dev.lychgate.filters.groovy;

import dev.lychgate.config.Quantity;
import dev.lychgate.filters.libraries.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * The contents of all files of filter code at one point in time. Immutable.
 *
 * @param files the files, in the order of their paths
 * @param libraries the jars, in the order of their names
 * @param warnings warnings about the directory, which do not prevent its use; each is one line
 * @param ignored the files of the directory that look like filters but are not used
 * @param fingerprint the SHA-256 of paths, texts and jars, in hexadecimal digits; equal for equal files
 */
public record FilterSources(
        List<FilterSource> files,
        List<FilterLibrary> libraries,
        List<String> warnings,
        List<IgnoredFile> ignored,
        String fingerprint) {
    public static final FilterSources NONE = of(List.of());

    /** Returns the sources that consist of these files, without libraries. */
    public static FilterSources of(Collection<FilterSource> files) {
        return of(files, List.of(), List.of(), List.of());
    }

    static FilterSources of(
            Collection<FilterSource> files,
            Collection<FilterLibrary> libraries,
            List<String> warnings,
            List<IgnoredFile> ignored) {
        List<FilterSource> sorted =
                files.stream().sorted(Comparator.comparing(FilterSource::path)).toList();
        List<FilterLibrary> jars =
                libraries.stream().sorted(FilterLibrary.BY_NAME).toList();
        return new FilterSources(sorted, jars, List.copyOf(warnings), List.copyOf(ignored), digest(sorted, jars));
    }

    private static String digest(List<FilterSource> files, List<FilterLibrary> libraries) {
        MessageDigest sha = Sha256.start();
        for (FilterSource file : files) {
            add(sha, file.path());
            add(sha, file.text());
        }
        for (FilterLibrary library : libraries) {
            add(sha, library.bundle() + library.name());
            add(sha, library.jar().digest());
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    /**
     * Adds the length of a part to the digest, and then the part, so that the boundaries between parts affect the
     * digest.
     */
    private static void add(MessageDigest sha, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        sha.update(bytes);
    }

    /** Returns whether {@code other} uses the same files and ignores the same files. */
    public boolean isSameAs(FilterSources other) {
        return fingerprint.equals(other.fingerprint) && ignored.equals(other.ignored);
    }

    @Override
    public String toString() {
        return Quantity.of(files.size(), "file") + ", "
                + (libraries.isEmpty() ? "" : Quantity.of(libraries.size(), "jar") + ", ")
                + fingerprint.substring(0, 12);
    }
}
