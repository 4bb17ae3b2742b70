package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.groovy.FilterFaultsException;
import dev.lychgate.filters.groovy.FilterLibrary;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.libraries.LibraryJar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy on disk of the last accepted filters. A restart uses the copy if the filter directory is unusable. If the copy
 * cannot be written, for example on a read-only file system, the gateway runs without the copy and logs the failure
 * once. Used by one thread at a time.
 */
final class LastGood {
    private static final Logger LOG = LoggerFactory.getLogger(LastGood.class);
    private static final String CURRENT = "current";
    /** The name of the directory for the contents of jars. Each file in it is named by its digest. */
    private static final String JARS = "jars";
    /**
     * The directory for the jars of {@code filters.libraries} in a copy; it is hidden, so its files are not read as
     * filters.
     */
    private static final String LIBRARIES = ".libraries";

    private final Path place;
    /** The name of the copy that this object has written last; empty before the first copy. */
    private String saved = "";
    /** The digests of the files in the copy {@link #saved}, by the paths of the files. */
    private Map<String, String> digests = Map.of();

    private boolean silent;

    /** @param place a directory for these copies only; created when it is first needed */
    LastGood(Path place) {
        this.place = place;
    }

    /** Returns the copy in the directory {@code .lychgate} next to a configuration file. */
    static LastGood beside(Path config) {
        return new LastGood(config.toAbsolutePath().resolveSibling(".lychgate").resolve("last-good"));
    }

    Path place() {
        return place;
    }

    /** Saves {@code sources}; the previous copy is deleted after the new copy is complete. A failure is logged once. */
    void save(FilterSources sources) {
        try {
            write(sources);
        } catch (IOException | UncheckedIOException e) {
            if (!silent) {
                silent = true;
                LOG.warn(
                        "the last good filters can't be saved in {}: {}; a restart with an unusable filter directory"
                                + " uses an older copy, or fails if there is no copy",
                        place,
                        e.toString());
            }
        }
    }

    /**
     * Saves {@code sources} as {@link #save} does, and waits until the copy is on the disk.
     *
     * @return whether the copy is on the disk
     */
    boolean secure(FilterSources sources) {
        save(sources);
        try {
            if (!sources.fingerprint().equals(current())) {
                return false;
            }
            OnDisk.forceTree(place);
            return true;
        } catch (IOException | UncheckedIOException e) {
            LOG.warn(
                    "the last good filters in {} can't be forced to the disk: {}; a power failure may destroy them",
                    place,
                    e.toString());
            return false;
        }
    }

    private void write(FilterSources sources) throws IOException {
        String name = sources.fingerprint();
        Path copy = place.resolve(name);
        if (!name.equals(current())) {
            FilterDirectory.createForUser(place);
            for (FilterSource source : sources.files()) {
                write(source, copy);
            }
            for (FilterLibrary library : sources.libraries()) {
                copy(library, copy);
            }
            Files.createDirectories(copy);
            Path pointer = Files.writeString(place.resolve(CURRENT + ".new"), name);
            Files.move(pointer, place.resolve(CURRENT), StandardCopyOption.ATOMIC_MOVE);
            forgetOthers(name);
            forgetJars(sources);
            saved = name;
            digests = sources.files().stream().collect(Collectors.toMap(FilterSource::path, FilterSource::digest));
        }
    }

    /**
     * Adds a file to a copy. If this object has written the same text to the previous copy, the new file is a link to
     * the previous file.
     */
    private void write(FilterSource source, Path copy) throws IOException {
        Path file = copy.resolve(source.path());
        Files.createDirectories(file.getParent());
        // An incomplete copy may have the file. It is not overwritten, because it may be a link to a complete copy.
        Files.deleteIfExists(file);
        if (source.digest().equals(digests.get(source.path()))) {
            try {
                Files.createLink(file, place.resolve(saved).resolve(source.path()));
                return;
            } catch (UnsupportedOperationException | FileSystemException e) {
                // The file system has no links, or the previous copy was deleted.
            }
        }
        Files.writeString(file, source.text());
    }

    /**
     * Adds a jar to a copy. Copies share the content of a jar by hard links, so that a changed script does not cause
     * another copy of each jar.
     *
     * @throws IOException also if the jar has been overwritten since it was read
     */
    private void copy(FilterLibrary library, Path copy) throws IOException {
        String digest = library.jar().digest();
        Path content = place.resolve(JARS).resolve(digest);
        if (!Files.exists(content)) {
            Files.createDirectories(content.getParent());
            Path written = content.resolveSibling("new");
            Files.copy(library.jar().file(), written, StandardCopyOption.REPLACE_EXISTING);
            if (!LibraryJar.digest(written).equals(digest)) {
                throw new IOException(library.path() + " has changed since it was read");
            }
            Files.move(written, content, StandardCopyOption.ATOMIC_MOVE);
        }
        Path file = copy.resolve(library.isBeside() ? LIBRARIES + "/" + library.name() : library.path());
        Files.createDirectories(file.getParent());
        try {
            Files.createLink(file, content);
        } catch (FileAlreadyExistsException e) {
            // The file comes from a copy that was not completed, so it may be truncated.
            if (Files.size(file) != Files.size(content)) {
                Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (UnsupportedOperationException | FileSystemException e) {
            Files.copy(content, file);
        }
    }

    /** Returns the saved filters; null if there are none, or they cannot be read. */
    @Nullable
    FilterSources read() {
        try {
            String name = current();
            if (name == null) {
                return null;
            }
            Path copy = place.resolve(name);
            Path libraries = copy.resolve(LIBRARIES);
            return new FilterDirectory(copy, Files.isDirectory(libraries) ? libraries : null).read();
        } catch (IOException | FilterFaultsException e) {
            LOG.warn("the last good filters in {} can't be read, so they are not used: {}", place, e.toString());
            return null;
        }
    }

    private @Nullable String current() throws IOException {
        Path pointer = place.resolve(CURRENT);
        if (!Files.exists(pointer)) {
            return null;
        }
        String name = Files.readString(pointer, StandardCharsets.UTF_8).strip();
        return name.matches("[0-9a-f]{64}") ? name : null;
    }

    private void forgetJars(FilterSources sources) throws IOException {
        List<String> used = sources.libraries().stream()
                .map(library -> library.jar().digest())
                .toList();
        if (Files.isDirectory(place.resolve(JARS))) {
            try (Stream<Path> jars = Files.list(place.resolve(JARS))) {
                for (Path jar : jars.filter(
                                each -> !used.contains(each.getFileName().toString()))
                        .toList()) {
                    Files.delete(jar);
                }
            }
        }
    }

    private void forgetOthers(String name) throws IOException {
        List<Path> others;
        try (Stream<Path> copies = Files.list(place)) {
            others = copies.filter(Files::isDirectory)
                    .filter(copy ->
                            !List.of(name, JARS).contains(copy.getFileName().toString()))
                    .toList();
        }
        for (Path other : others) {
            try (Stream<Path> files = Files.walk(other)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
