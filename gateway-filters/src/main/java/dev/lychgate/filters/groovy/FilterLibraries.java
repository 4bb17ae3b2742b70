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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the jars of a filter directory, and those of the directory that {@code filters.libraries} names. */
final class FilterLibraries {
    private FilterLibraries() {}

    /** Returns the jars of both directories. @throws NoSuchFileException if one was deleted meanwhile */
    static List<Path> jars(DirectoryWalk walk, @Nullable Path libraries) throws IOException, FilterFaultsException {
        List<Path> jars = new ArrayList<>(walk.jars());
        if (libraries != null) {
            jars.addAll(beside(libraries));
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

    /** Reads all jars. @throws FilterFaultsException with all that can't be read */
    static List<FilterLibrary> read(DirectoryWalk walk, @Nullable Path libraries)
            throws IOException, FilterFaultsException {
        List<FilterLibrary> read = new ArrayList<>();
        List<FilterFault> faults = new ArrayList<>();
        for (Path file : jars(walk, libraries)) {
            boolean beside = libraries != null
                    && file.startsWith(libraries)
                    && !walk.jars().contains(file);
            String path = beside
                    ? Objects.requireNonNull(libraries).getFileName() + "/" + file.getFileName()
                    : walk.name(file);
            try {
                read.add(
                        new FilterLibrary(path, beside ? "" : PlaceInTree.bundle(path), beside, LibraryJar.read(file)));
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

    /** Returns warnings about jars of which some classes are not used, one line each. */
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
