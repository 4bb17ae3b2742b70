package dev.lychgate.server.yaml;

import dev.lychgate.filters.libraries.Sha256;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The texts of a configuration file and its included files as they were read. Placeholders are not replaced, so the
 * texts contain no values of the environment. Immutable.
 *
 * @param main the configuration file
 * @param files the text of each file, in the order of reading
 * @param patterns for each path of {@code include}, the files that matched the path
 */
public record ConfigTexts(Path main, Map<Path, String> files, Map<Path, List<Path>> patterns) {
    public ConfigTexts {
        Map<Path, String> texts = new LinkedHashMap<>();
        files.forEach((file, text) -> texts.put(whole(file), text));
        Map<Path, List<Path>> matching = new LinkedHashMap<>();
        patterns.forEach((pattern, matches) -> matching.put(
                whole(pattern), matches.stream().map(ConfigTexts::whole).toList()));
        files = Collections.unmodifiableMap(texts);
        patterns = Collections.unmodifiableMap(matching);
    }

    /** Returns the absolute and normalized form of a path, which is used to compare paths. */
    static Path whole(Path path) {
        return path.toAbsolutePath().normalize();
    }

    /**
     * Returns a digest of all texts and of the paths of the files relative to the configuration file. The digest stays
     * the same if the directory is mounted elsewhere.
     */
    public String fingerprint() {
        StringBuilder all = new StringBuilder();
        patterns.forEach(
                (pattern, matches) -> add(all, "pattern", relative(pattern), Integer.toString(matches.size())));
        files.forEach((file, text) -> add(all, "file", relative(file), text));
        return Sha256.of(all.toString());
    }

    /** Adds each part after its length, so that the boundaries between parts affect the digest. */
    private static void add(StringBuilder all, String... parts) {
        for (String part : parts) {
            all.append(part.length()).append(':').append(part);
        }
    }

    /** Returns a path relative to the directory of the configuration file. */
    public String relative(Path path) {
        return directory(main).relativize(whole(path)).toString();
    }

    /** Returns the directory of a configuration file, to which {@link #relative} paths refer. */
    public static Path directory(Path main) {
        return Objects.requireNonNull(whole(main).getParent(), "the directory of a file");
    }
}
