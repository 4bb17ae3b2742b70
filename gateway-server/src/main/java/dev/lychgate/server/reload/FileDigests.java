package dev.lychgate.server.reload;

import dev.lychgate.filters.libraries.LibraryJar;
import dev.lychgate.filters.libraries.Sha256;
import dev.lychgate.server.history.ChangedFile;
import dev.lychgate.server.yaml.ConfigTexts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The digests of the files of generations, by their paths: SHA-256 of the bytes, as the tools of the operating system
 * compute it. Secrets, certificates, keys and tokens have no digests, because an attacker could find a short secret by
 * its digest.
 */
final class FileDigests {
    private static final String FILTERS = "filters:";
    private static final String SECRET = "secret ";

    private FileDigests() {}

    static Map<String, String> of(FilesRead files) {
        Map<String, String> digests = new TreeMap<>();
        ConfigTexts texts = files.loaded().texts();
        if (texts != null) {
            texts.files().forEach((file, text) -> digests.put(texts.relative(file), Sha256.of(text)));
        }
        if (files.filters() != null) {
            files.filters().files().forEach(file -> digests.put(FILTERS + file.path(), Sha256.of(file.text())));
            files.libraries()
                    .forEach(library ->
                            digests.put(FILTERS + library.path(), library.jar().digest()));
        }
        return digests;
    }

    /** Returns the digests of the configuration files on disk, for a configuration that could not be read. */
    static Map<String, String> onDisk(History.@Nullable Taken running, List<Path> files) {
        Map<String, String> digests = new TreeMap<>();
        ConfigTexts texts =
                running == null ? null : running.built().files().loaded().texts();
        for (Path file : files) {
            try {
                digests.put(texts == null ? file.toString() : texts.relative(file), LibraryJar.digest(file));
            } catch (IOException e) {
                // Either the entry reports that this file can't be read, or the file has been deleted since.
            }
        }
        return digests;
    }

    /** Returns the files that were added, changed or removed. */
    static List<ChangedFile> difference(Map<String, String> before, Map<String, String> after) {
        List<ChangedFile> all = new ArrayList<>(changed(before, after));
        before.keySet().stream()
                .filter(path -> !after.containsKey(path))
                .forEach(path -> all.add(new ChangedFile(path, "removed", "")));
        return all;
    }

    /** Returns the files of {@code after} that were added or changed. */
    static List<ChangedFile> changed(Map<String, String> before, Map<String, String> after) {
        List<ChangedFile> all = new ArrayList<>();
        after.forEach((path, digest) -> {
            String old = before.get(path);
            if (!digest.equals(old)) {
                all.add(new ChangedFile(path, old == null ? "added" : "changed", digest));
            }
        });
        return all;
    }

    /**
     * Adds the secrets that differ, without digests.
     *
     * @param references as in the configuration: {@code file:secrets/token}
     */
    static List<ChangedFile> withSecrets(List<ChangedFile> changed, List<String> references) {
        List<ChangedFile> all = new ArrayList<>(changed);
        references.forEach(reference -> all.add(new ChangedFile(SECRET + reference, "changed", "")));
        return all;
    }

    static List<ChangedFile> withCertificates(List<ChangedFile> changed) {
        List<ChangedFile> all = new ArrayList<>(changed);
        all.add(new ChangedFile("certificates, keys, tokens or address lists", "changed", ""));
        return all;
    }
}
