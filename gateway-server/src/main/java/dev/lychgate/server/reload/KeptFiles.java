package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterLibrary;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.server.history.Change;
import dev.lychgate.server.yaml.ConfigTexts;
import dev.lychgate.server.yaml.LoadedConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the files of the newest accepted generations, for rollbacks after a restart. Each file, and each list of
 * files, is stored under its digest. An entry of the history contains the digest of the list, and thus proves the
 * content of all files.
 *
 * <p>Values of the environment, secrets, certificates and keys are not stored. A rollback uses their current values.
 * Only the user of the process can read the files. One thread saves files, and another thread reads them.
 */
final class KeptFiles {
    private static final Logger LOG = LoggerFactory.getLogger(KeptFiles.class);
    /**
     * The name of a directory for the jars of {@code filters.libraries}. It is created in the directory of a restored
     * generation.
     */
    private static final String LIBRARIES = ".libraries";

    private final DigestStore store;
    private final int most;
    private final long mostBytes;

    /**
     * @param most the largest number of generations
     * @param mostBytes the largest size of all files together, in bytes
     */
    KeptFiles(Path place, int most, long mostBytes) {
        this.store = new DigestStore(place);
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /** Provides a directory for the filters of a generation. */
    private interface Trees {
        /**
         * Returns an empty directory.
         *
         * @param fingerprint the fingerprint of the filters to restore
         */
        Path empty(String fingerprint) throws IOException;
    }

    /** Returns the store in the directory {@code .lychgate} next to a configuration file. */
    static KeptFiles beside(Path config, int most, long mostBytes) {
        Path whole = config.toAbsolutePath();
        return new KeptFiles(whole.resolveSibling(".lychgate").resolve("kept-" + whole.getFileName()), most, mostBytes);
    }

    /**
     * Stores the files of a generation, and logs a failure.
     *
     * @return the digest of the list of these files; empty if they are not stored
     */
    String save(FilesRead files) {
        ConfigTexts texts = files.loaded().texts();
        if (most == 0 || texts == null) {
            return "";
        }
        String digest = "";
        try {
            digest = store.putList(list(texts, files.filters()));
        } catch (IOException | UncheckedIOException e) {
            complain(e);
        }
        try {
            // The oldest files are deleted even after a failure, to make room for the next generation.
            store.prune(most, mostBytes);
        } catch (IOException | UncheckedIOException e) {
            complain(e);
        }
        return store.hasList(digest) ? digest : "";
    }

    private void complain(Exception e) {
        LOG.warn(
                "the files of the generation can't be kept in {}: {}; a rollback to the generation's entry in the history"
                        + " may be impossible",
                store.place(),
                e.toString());
    }

    private KeptList list(ConfigTexts texts, @Nullable FilterSources filters) throws IOException {
        Map<String, String> config = new LinkedHashMap<>();
        for (Map.Entry<Path, String> each : texts.files().entrySet()) {
            config.put(texts.relative(each.getKey()), put(each.getValue()));
        }
        Map<String, List<String>> patterns = new LinkedHashMap<>();
        texts.patterns()
                .forEach((pattern, matches) -> patterns.put(
                        texts.relative(pattern),
                        matches.stream().map(texts::relative).toList()));
        Map<String, String> sources = new LinkedHashMap<>();
        Map<String, String> beside = new LinkedHashMap<>();
        if (filters != null) {
            for (FilterSource source : filters.files()) {
                sources.put(source.path(), put(source.text()));
            }
            for (FilterLibrary library : filters.libraries()) {
                store.putFile(library.jar().file(), library.jar().digest());
                (library.isBeside() ? beside : sources)
                        .put(
                                library.isBeside() ? library.name() : library.path(),
                                library.jar().digest());
            }
        }
        return new KeptList(
                texts.relative(texts.main()),
                config,
                patterns,
                filters == null ? "" : filters.fingerprint(),
                sources,
                beside);
    }

    private String put(String text) throws IOException {
        return store.put(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads the stored files of a generation.
     *
     * @param entry contains the digest that {@link #save} returned
     * @param main the configuration file
     * @param used the fingerprints of the filters of all retained generations. Their restored jars stay, because they
     *     may be read again
     * @throws IOException if a file is missing, or does not have its digest
     * @throws RefusedException if the configuration is refused, for example because an environment variable is missing
     */
    FilesRead read(Change entry, Path main, GenerationBuilder builder, Set<String> used)
            throws IOException, RefusedException {
        return read(entry, main, builder, fingerprint -> store.emptyTree(fingerprint, used));
    }

    /**
     * Works like {@link #read(Change, Path, GenerationBuilder, Set)}, but does not change the store. Processes other
     * than the gateway use this method.
     *
     * @param directory an empty directory for the filters
     */
    FilesRead read(Change entry, Path main, GenerationBuilder builder, Path directory)
            throws IOException, RefusedException {
        return read(entry, main, builder, fingerprint -> directory);
    }

    private FilesRead read(Change entry, Path main, GenerationBuilder builder, Trees trees)
            throws IOException, RefusedException {
        KeptList list = store.list(entry.kept());
        if (!list.hasAll(entry.files())) {
            throw new IOException("the stored list does not match the entry");
        }
        Path directory = ConfigTexts.directory(main);
        if (!directory.resolve(list.main()).normalize().equals(directory.resolve(main.getFileName()))) {
            throw new IOException("the stored files belong to another configuration file");
        }
        Map<Path, String> texts = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : list.config().entrySet()) {
            texts.put(
                    directory.resolve(each.getKey()).normalize(),
                    new String(store.get(each.getValue()), StandardCharsets.UTF_8));
        }
        Map<Path, List<Path>> patterns = new LinkedHashMap<>();
        list.patterns().forEach((pattern, matches) -> {
            List<Path> files = new ArrayList<>();
            matches.forEach(match -> files.add(directory.resolve(match).normalize()));
            patterns.put(directory.resolve(pattern).normalize(), files);
        });
        LoadedConfig loaded = builder.read(new ConfigTexts(main, texts, patterns));
        return FilesRead.of(loaded, list.fingerprint().isEmpty() ? null : filters(list, trees));
    }

    private FilterSources filters(KeptList list, Trees trees) throws IOException {
        Path root = trees.empty(list.fingerprint());
        for (Map.Entry<String, String> each : list.filters().entrySet()) {
            store.restore(each.getValue(), root, each.getKey());
        }
        for (Map.Entry<String, String> each : list.libraries().entrySet()) {
            store.restore(each.getValue(), root, LIBRARIES + "/" + each.getKey());
        }
        try {
            FilterSources sources =
                    new FilterDirectory(root, list.libraries().isEmpty() ? null : root.resolve(LIBRARIES)).read();
            if (!sources.fingerprint().equals(list.fingerprint())) {
                throw new IOException("the stored filters differ from the filters of the generation");
            }
            return sources;
        } catch (FilterFaultsException e) {
            throw new IOException("the stored filters can't be read: " + e.getMessage(), e);
        }
    }
}
