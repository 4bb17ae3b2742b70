package dev.lychgate.filters.groovy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;

/**
 * The directory that filters are read from: {@code inbound/}, {@code endpoint/}, {@code outbound/} and {@code error/} with
 * filters, {@code lib/} with what they share. Read as a whole or refused as a whole; a change that is going on is waited for, for a moment.
 * Blocks; from any thread.
 */
public final class FilterDirectory {
    /** Longest file that is read, in bytes. */
    public static final int LONGEST_FILE = 1 << 20;
    /** Most that all files together may have, in bytes. */
    public static final int MOST_BYTES = 16 << 20;

    /** What the name of a file of tests ends with. */
    public static final String TEST = "Test.groovy";

    private final Path root;

    public FilterDirectory(Path root) {
        this.root = root;
    }

    public Path root() {
        return root;
    }

    /**
     * Reads all files.
     *
     * @throws FilterFaultsException if the directory is not there, or anything in it can't be read or may not be used; with
     *     all files that are at fault
     */
    public FilterSources read() throws FilterFaultsException {
        return ReadingAtRest.read(() -> DirectoryStamp.of(root), this::readOnce);
    }

    /**
     * Reads the tests that stand beside the filters, in the order of their paths.
     *
     * @throws IOException if a directory can't be read
     * @throws FilterFaultsException with all files that can't be read
     */
    public List<FilterSource> readTests() throws IOException, FilterFaultsException {
        DirectoryWalk walk = DirectoryWalk.of(root);
        return files(walk, walk.tests());
    }

    /** @throws NoSuchFileException if anything has gone between being listed and being read */
    private FilterSources readOnce() throws FilterFaultsException, NoSuchFileException {
        try {
            DirectoryWalk walk = DirectoryWalk.of(root);
            return FilterSources.of(files(walk, walk.files()), warnings(walk), walk.ignored());
        } catch (NoSuchFileException e) {
            if (Files.exists(root)) {
                throw new NoSuchFileException(
                        root.relativize(Path.of(e.getFile())).toString());
            }
            throw new FilterFaultsException(FilterFault.of(root.toString(), "is not there"));
        } catch (AccessDeniedException e) {
            throw new FilterFaultsException(FilterFault.of(e.getFile(), "can't be read: permission denied"));
        } catch (IOException e) {
            throw new FilterFaultsException(FilterFault.of(root.toString(), "can't be read: " + e));
        }
    }

    private static List<FilterSource> files(DirectoryWalk walk, List<Path> paths)
            throws IOException, FilterFaultsException {
        List<FilterSource> files = new ArrayList<>();
        List<FilterFault> faults = new ArrayList<>();
        long total = 0;
        for (Path path : paths) {
            String name = walk.name(path);
            try {
                byte[] bytes = bytes(path);
                total += bytes.length;
                if (total > MOST_BYTES) {
                    throw new FilterFaultsException(FilterFault.of(
                            name, "with this file, all files have more than " + (MOST_BYTES >> 20) + " MiB"));
                }
                if (bytes.length > LONGEST_FILE) {
                    faults.add(FilterFault.of(name, "is longer than " + (LONGEST_FILE >> 20) + " MiB"));
                } else {
                    files.add(new FilterSource(name, text(bytes)));
                }
            } catch (AccessDeniedException e) {
                faults.add(FilterFault.of(name, "can't be read: permission denied"));
            } catch (CharacterCodingException e) {
                faults.add(FilterFault.of(name, "is no text in UTF-8"));
            }
        }
        if (!faults.isEmpty()) {
            throw new FilterFaultsException(faults);
        }
        return files;
    }

    /** One more byte than may be, so that who is too long shows without being read. */
    private static byte[] bytes(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return in.readNBytes(LONGEST_FILE + 1);
        }
    }

    private static String text(byte[] bytes) throws CharacterCodingException {
        // Refuses malformed input, where new String would put something in its place.
        String text = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
        if (text.indexOf('\0') >= 0) {
            throw new CharacterCodingException();
        }
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }

    private static List<String> warnings(DirectoryWalk walk) throws IOException {
        List<String> warnings = new ArrayList<>();
        for (Path directory : walk.directories()) {
            if (isWritableByOthers(directory)) {
                warnings.add("directory " + directory + " may be written by anybody: so may the gateway's code");
            }
        }
        return warnings;
    }

    private static boolean isWritableByOthers(Path directory) throws IOException {
        try {
            return Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE);
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }
}
