package dev.lychgate.filters.groovy;

import dev.lychgate.filters.libraries.JarConflicts;
import dev.lychgate.filters.libraries.LibraryJar;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the jars of a filter directory, and the jars of the directory that {@code filters.libraries} names. */
final class FilterLibraries {
    /** The maximum number of unpacked bytes of all jars together. Unpacked jars are kept in memory. */
    private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 4;

    private FilterLibraries() {}

    /**
     * Returns the jars of the filter directory and of the directory of libraries.
     *
     * @throws NoSuchFileException if a jar was deleted after the walk found it
     */
    static List<Path> jars(DirectoryWalk walk, @Nullable Path libraries) throws IOException, FilterFaultsException {
        List<Path> jars = new ArrayList<>(walk.jars());
        if (libraries != null) {
            beside(libraries).stream().filter(file -> !jars.contains(file)).forEach(jars::add);
        }
        return jars;
    }

    private static List<Path> beside(Path libraries) throws IOException, FilterFaultsException {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(libraries, "*.jar")) {
            for (Path entry : entries) {
                if (!entry.getFileName().toString().startsWith(".")) {
                    jars.add(entry);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        } catch (IOException e) {
            throw new FilterFaultsException(
                    FilterFault.of(libraries.toString(), "the directory of libraries can't be read: " + reason(e)));
        }
        jars.sort(null);
        return jars;
    }

    /**
     * Reads all jars.
     *
     * @throws FilterFaultsException if jars cannot be read; the exception lists all of these jars
     */
    static List<FilterLibrary> read(DirectoryWalk walk, @Nullable Path libraries)
            throws IOException, FilterFaultsException {
        return read(walk, libraries, MOST_BYTES);
    }

    /**
     * Reads all jars.
     *
     * @param most the maximum number of unpacked bytes of all jars together
     */
    static List<FilterLibrary> read(DirectoryWalk walk, @Nullable Path libraries, long most)
            throws IOException, FilterFaultsException {
        List<FilterLibrary> read = new ArrayList<>();
        List<FilterFault> faults = new ArrayList<>();
        Set<String> paths = new HashSet<>();
        long left = most;
        for (Path file : jars(walk, libraries)) {
            boolean beside = !walk.jars().contains(file);
            String path = beside
                    ? Objects.requireNonNull(libraries).getFileName() + "/" + file.getFileName()
                    : walk.name(file);
            if (!paths.add(path)) {
                // The directory of libraries has the same name as a directory in the filter directory.
                path = file.toString();
            }
            try {
                LibraryJar jar = LibraryJar.read(file, left);
                left -= jar.size();
                read.add(new FilterLibrary(path, beside ? "" : PlaceInTree.bundle(path), beside, jar));
            } catch (NoSuchFileException e) {
                throw e;
            } catch (IOException e) {
                faults.add(FilterFault.of(path, "can't be read as a jar: " + reason(e)));
            }
        }
        if (!faults.isEmpty()) {
            throw new FilterFaultsException(faults);
        }
        return read;
    }

    private static String reason(IOException e) {
        return e instanceof NoSuchFileException ? "it does not exist" : String.valueOf(e.getMessage());
    }

    /**
     * Returns warnings about jars with unused classes, each in one line. A class is unused if the gateway, or a jar
     * that is searched earlier, contains a class with the same name.
     */
    static List<String> conflicts(List<FilterLibrary> libraries) {
        Map<String, Map<String, LibraryJar>> bundles = new TreeMap<>();
        libraries.stream()
                .sorted(FilterLibrary.BY_NAME)
                .forEach(library -> bundles.computeIfAbsent(library.bundle(), bundle -> new LinkedHashMap<>())
                        .put(library.path(), library.jar()));
        List<String> warnings = new ArrayList<>();
        bundles.values().forEach(jars -> warnings.addAll(JarConflicts.of(jars)));
        return warnings;
    }
}
