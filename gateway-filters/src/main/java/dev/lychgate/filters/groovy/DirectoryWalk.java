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
 * Finds what is of interest below the filter directory: directories and {@code .groovy} files, through symbolic links as
 * long as they don't lead out of it. Not of interest is what is hidden (and with it the {@code ..data} of a Kubernetes
 * volume, whose files are met through their links), and what editors leave behind. What is
 * not hidden and can't be looked at is no more passed over than a filter would be: a link to nothing may have led to many.
 */
final class DirectoryWalk {
    static final int MOST_FILES = 1_000;

    /** Bounds the log and the admin page. */
    private static final int MOST_IGNORED = 100;

    private static final int MOST_DIRECTORIES = 1_000;
    private static final int DEEPEST = 16;

    private final Path root;
    private final Path realRoot;
    private final List<Path> files = new ArrayList<>();
    private final List<Path> tests = new ArrayList<>();
    private final List<Path> directories = new ArrayList<>();
    private final List<IgnoredFile> ignored = new ArrayList<>();

    private DirectoryWalk(Path root) throws IOException {
        this.root = root;
        this.realRoot = root.toRealPath();
    }

    /**
     * @throws NoSuchFileException if the root is not there, or anything has gone between being listed and being looked at
     * @throws IOException if a directory can't be read
     * @throws FilterFaultsException if the tree is none that may be used
     */
    static DirectoryWalk of(Path root) throws IOException, FilterFaultsException {
        DirectoryWalk walk = new DirectoryWalk(root);
        walk.enter(root, 0);
        Collections.sort(walk.files);
        Collections.sort(walk.tests);
        Collections.sort(walk.directories);
        walk.ignored.sort(Comparator.comparing(IgnoredFile::file));
        return walk;
    }

    List<Path> files() {
        return files;
    }

    /** Tests of filters: {@code *Test.groovy}. */
    List<Path> tests() {
        return tests;
    }

    List<Path> directories() {
        return directories;
    }

    /** The files that look like filters and are not used, in order. */
    List<IgnoredFile> ignored() {
        return ignored;
    }

    /** Below the root, with slashes. */
    String name(Path path) {
        return root.relativize(path).toString().replace('\\', '/');
    }

    private void enter(Path directory, int depth) throws IOException, FilterFaultsException {
        if (depth > DEEPEST || directories.size() >= MOST_DIRECTORIES) {
            throw refused(
                    directory,
                    "more than " + DEEPEST + " directories within one another, or " + MOST_DIRECTORIES
                            + " in all; is there a link in a circle?");
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
            // It was one when it was met: the directory is being changed.
            throw new NoSuchFileException(e.getFile());
        }
    }

    private void meet(Path entry, int depth) throws IOException, FilterFaultsException {
        BasicFileAttributes state = state(entry);
        if (state.isDirectory()) {
            requireInside(entry);
            enter(entry, depth + 1);
        } else if (depth == 0 && PlaceInTree.of(name(entry) + "/") != null) {
            throw refused(entry, "is no directory");
        } else if (isFilter(entry)) {
            requireInside(entry);
            if (!state.isRegularFile()) {
                throw refused(entry, "is no regular file");
            }
            if (files.size() >= MOST_FILES) {
                throw refused(root, "more than " + MOST_FILES + " files");
            }
            files.add(entry);
        } else if (isTest(entry)) {
            tests.add(entry);
        } else if (ignored.size() < MOST_IGNORED) {
            IgnoredFile file = IgnoredFile.of(name(entry));
            if (file != null) {
                ignored.add(file);
            }
        }
    }

    /**
     * What {@code entry} is, or leads to. Of what nothing can be told nobody knows either whether it holds filters: to pass
     * over it would be to take them for deleted.
     *
     * @throws NoSuchFileException if it is there no more: the directory is being changed
     */
    private BasicFileAttributes state(Path entry) throws IOException, FilterFaultsException {
        try {
            return Files.readAttributes(entry, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            if (Files.isSymbolicLink(entry)) {
                throw refused(entry, "is a link to nothing");
            }
            throw e;
        } catch (AccessDeniedException e) {
            throw refused(entry, "can't be read: permission denied");
        } catch (FileSystemException e) {
            // As of links in a circle.
            throw refused(entry, "can't be read: " + e.getReason());
        }
    }

    private void requireInside(Path entry) throws IOException, FilterFaultsException {
        if (!entry.toRealPath().startsWith(realRoot)) {
            throw refused(entry, "is a link that leads out of the filter directory");
        }
    }

    /** @return the refusal of everything because of {@code entry} */
    private FilterFaultsException refused(Path entry, String why) {
        return new FilterFaultsException(FilterFault.of(entry.equals(root) ? root.toString() : name(entry), why));
    }

    private static boolean isHidden(Path entry) {
        return entry.getFileName().toString().startsWith(".");
    }

    /** What editors write beside a file ({@code a.groovy~}, {@code .a.groovy.swp}, {@code #a.groovy#}, {@code 4913}) ends otherwise. */
    private static boolean isFilter(Path entry) {
        String name = entry.getFileName().toString();
        return name.endsWith(".groovy") && !isTest(entry) && !name.startsWith("#");
    }

    private static boolean isTest(Path entry) {
        return entry.getFileName().toString().endsWith(FilterDirectory.TEST);
    }
}
