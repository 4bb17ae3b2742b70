package dev.lychgate.filters.groovy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the directories, filter files, tests and jars below the filter directory. Follows symbolic links, but refuses a
 * link to a target outside the directory. Skips hidden entries, and files that editors leave. The directory
 * {@code ..data} of a Kubernetes volume is hidden, but its files are found through the links to them. An entry that is
 * not hidden and can't be read is refused, because it may contain filters.
 */
final class DirectoryWalk {
    static final int MOST_FILES = 1_000;

    /** The maximum number of ignored files that the log and the admin page report. */
    private static final int MOST_IGNORED = 100;

    private static final int MOST_DIRECTORIES = 1_000;
    private static final int DEEPEST = 16;

    private final Path root;
    private final Path realRoot;
    private final List<Path> files = new ArrayList<>();
    private final List<Path> tests = new ArrayList<>();
    private final List<Path> jars = new ArrayList<>();
    private final List<Path> directories = new ArrayList<>();
    private final List<IgnoredFile> ignored = new ArrayList<>();

    private DirectoryWalk(Path root) throws IOException {
        this.root = root;
        this.realRoot = root.toRealPath();
    }

    /**
     * Walks the filter directory.
     *
     * @throws NoSuchFileException if {@code root} does not exist, or an entry was deleted during the walk
     * @throws IOException if a directory can't be read
     * @throws FilterFaultsException if an entry is refused or the tree exceeds a limit
     */
    static DirectoryWalk of(Path root) throws IOException, FilterFaultsException {
        DirectoryWalk walk = new DirectoryWalk(root);
        walk.enter(root, 0);
        Collections.sort(walk.files);
        Collections.sort(walk.tests);
        Collections.sort(walk.jars);
        Collections.sort(walk.directories);
        walk.ignored.sort(Comparator.comparing(IgnoredFile::file));
        return walk;
    }

    List<Path> files() {
        return files;
    }

    /** Returns the files with tests of filters, whose names end in {@code Test.groovy}. */
    List<Path> tests() {
        return tests;
    }

    /** Returns the jars at the top of the directory, in {@code lib/}, and at the corresponding places of bundles. */
    List<Path> jars() {
        return jars;
    }

    List<Path> directories() {
        return directories;
    }

    /** Returns the files that look like filters but are not used, in the order of their paths. */
    List<IgnoredFile> ignored() {
        return ignored;
    }

    /** Returns {@code path} relative to the root of the walk, with slashes. */
    String name(Path path) {
        return root.relativize(path).toString().replace('\\', '/');
    }

    private void enter(Path directory, int depth) throws IOException, FilterFaultsException {
        if (depth > DEEPEST || directories.size() >= MOST_DIRECTORIES) {
            throw refused(
                    directory,
                    "more than " + DEEPEST + " nested directories, or " + MOST_DIRECTORIES
                            + " in total; check for circular links");
        }
        directories.add(directory);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (!isHidden(entry)) {
                    meet(entry, depth);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        } catch (NotDirectoryException e) {
            // The entry was a directory before, so another process is changing the tree.
            throw new NoSuchFileException(e.getFile());
        }
    }

    private void meet(Path entry, int depth) throws IOException, FilterFaultsException {
        BasicFileAttributes state = state(entry);
        if (state.isDirectory()) {
            requireInside(entry);
            if (name(entry).endsWith(".groovy") && ignored.size() < MOST_IGNORED) {
                ignored.add(new IgnoredFile(name(entry), "it is a directory"));
            }
            enter(entry, depth + 1);
        } else if (depth == 0 && isDirectoryName(name(entry) + "/")) {
            throw refused(entry, "is not a directory");
        } else if (isFilter(entry) || isJava(name(entry))) {
            add(entry, state, files);
        } else if (isLibrary(name(entry))) {
            add(entry, state, jars);
        } else if (isTest(entry)) {
            if (state.isRegularFile()) {
                tests.add(entry);
            } else if (ignored.size() < MOST_IGNORED) {
                // Reading a pipe may never end.
                ignored.add(new IgnoredFile(name(entry), "it is not a regular file"));
            }
        } else if (ignored.size() < MOST_IGNORED) {
            IgnoredFile file = IgnoredFile.of(name(entry));
            if (file != null) {
                ignored.add(file);
            }
        }
    }

    private void add(Path entry, BasicFileAttributes state, List<Path> to) throws IOException, FilterFaultsException {
        requireInside(entry);
        if (!state.isRegularFile()) {
            throw refused(entry, "is not a regular file");
        }
        if (to.size() >= MOST_FILES) {
            throw refused(root, "more than " + MOST_FILES + " files");
        }
        to.add(entry);
    }

    private static boolean isDirectoryName(String name) {
        return PlaceInTree.of(name) != null || name.equals(PlaceInTree.BUNDLES);
    }

    /** Returns whether a jar is in a directory from which libraries are read. */
    private static boolean isLibrary(String name) {
        String inBundle = name.substring(PlaceInTree.bundle(name).length());
        return name.endsWith(".jar") && (inBundle.indexOf('/') < 0 || PlaceInTree.of(name) == PlaceInTree.SHARED);
    }

    /**
     * Returns the attributes of {@code entry} or, if it is a link, of its target. Refuses an unreadable entry, because
     * skipping it would have the effect of deleting the filters in it.
     *
     * @throws NoSuchFileException if the entry has been deleted, because another process is changing the directory
     */
    private BasicFileAttributes state(Path entry) throws IOException, FilterFaultsException {
        try {
            return Files.readAttributes(entry, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            if (Files.isSymbolicLink(entry)) {
                throw refused(entry, "is a link to a missing file");
            }
            throw e;
        } catch (AccessDeniedException e) {
            throw refused(entry, "can't be read: permission denied");
        } catch (FileSystemException e) {
            // For example, links form a cycle.
            throw refused(entry, "can't be read: " + e.getReason());
        }
    }

    private void requireInside(Path entry) throws IOException, FilterFaultsException {
        if (!entry.toRealPath().startsWith(realRoot)) {
            throw refused(entry, "is a link to a target outside the filter directory");
        }
    }

    /**
     * Creates an error about one entry.
     *
     * @return an exception that reports {@code entry} as the reason for the refusal of the whole directory
     */
    private FilterFaultsException refused(Path entry, String why) {
        return new FilterFaultsException(FilterFault.of(entry.equals(root) ? root.toString() : name(entry), why));
    }

    private static boolean isHidden(Path entry) {
        return entry.getFileName().toString().startsWith(".");
    }

    /**
     * Returns whether a file is a Groovy filter. Returns false for files that editors leave: {@code a.groovy~},
     * {@code .a.groovy.swp}, {@code #a.groovy#}, {@code 4913}.
     */
    private static boolean isFilter(Path entry) {
        String name = entry.getFileName().toString();
        return name.endsWith(".groovy") && !isTest(entry) && !name.startsWith("#");
    }

    /**
     * Returns whether a Java file contains filter code, because it is in a directory of filters. Other Java files, such
     * as the sources of a project, are ignored.
     */
    private static boolean isJava(String name) {
        return name.endsWith(".java") && !name.endsWith("Test.java") && PlaceInTree.of(name) != null;
    }

    private static boolean isTest(Path entry) {
        return entry.getFileName().toString().endsWith(FilterDirectory.TEST);
    }
}
