package dev.lychgate.filters.groovy;

import dev.lychgate.config.FiltersConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter directory: {@code inbound/}, {@code endpoint/}, {@code outbound/} and {@code error/} contain filters, and
 * {@code lib/} contains the classes that filters share. The directory is read or refused as a whole. If the directory
 * changes during a read, the read is repeated, within a time limit. Methods block. Thread-safe.
 */
public final class FilterDirectory {
    /** The maximum length of a file, in bytes. */
    public static final int LONGEST_FILE = 1 << 20;
    /** The maximum length of all files together, in bytes. */
    public static final int MOST_BYTES = 16 << 20;

    /** The suffix of the names of test files. */
    public static final String TEST = "Test.groovy";

    private final Path root;
    private final @Nullable Path libraries;

    public FilterDirectory(Path root) {
        this(root, null);
    }

    /**
     * Creates an object that reads the filter directory {@code root}.
     *
     * @param libraries an additional directory of jars, for the filters outside of bundles; null if there is none
     */
    public FilterDirectory(Path root, @Nullable Path libraries) {
        this.root = root;
        this.libraries = libraries;
    }

    /** Returns the filter directory of a configuration; null if the configuration has none. */
    public static @Nullable FilterDirectory of(FiltersConfig config) {
        String directory = config.directory();
        String libraries = config.libraries();
        return directory == null
                ? null
                : new FilterDirectory(Path.of(directory), libraries == null ? null : Path.of(libraries));
    }

    /**
     * Creates a directory for copies of code, and its missing parents. No user except the user of the process can
     * access the created directories.
     */
    public static void createForUser(Path directory) throws IOException {
        boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] forUser = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                }
                : new FileAttribute<?>[0];
        Files.createDirectories(directory, forUser);
    }

    /** Returns the state of all files that {@link #read} reads. Never throws an exception. */
    public DirectoryStamp stamp() {
        return DirectoryStamp.of(root, libraries);
    }

    public Path root() {
        return root;
    }

    /**
     * Reads all files.
     *
     * @throws FilterFaultsException if the directory is missing, or if files in it cannot be read or are refused; the
     *     exception lists all of these files
     */
    public FilterSources read() throws FilterFaultsException {
        return ReadingAtRest.read(this::stamp, this::readOnce);
    }

    /**
     * Reads the tests in the directories of the filters, in the order of their paths.
     *
     * @throws IOException if a directory cannot be read
     * @throws FilterFaultsException if files cannot be read; the exception lists all of these files
     */
    public List<FilterSource> readTests() throws IOException, FilterFaultsException {
        DirectoryWalk walk = DirectoryWalk.of(root);
        return files(walk, walk.tests());
    }

    /**
     * Reads all files one time.
     *
     * @throws NoSuchFileException if a file was deleted between listing and reading
     */
    private FilterSources readOnce() throws FilterFaultsException, NoSuchFileException {
        try {
            DirectoryWalk walk = DirectoryWalk.of(root);
            List<FilterLibrary> jars = FilterLibraries.read(walk, libraries);
            List<String> warnings = warnings(walk);
            warnings.addAll(FilterLibraries.conflicts(jars));
            return FilterSources.of(files(walk, walk.files()), jars, warnings, walk.ignored());
        } catch (NoSuchFileException e) {
            if (Files.exists(root)) {
                throw new NoSuchFileException(
                        root.relativize(Path.of(e.getFile())).toString());
            }
            throw new FilterFaultsException(FilterFault.of(root.toString(), "does not exist"));
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
                            name, "with this file, the files exceed a total of " + (MOST_BYTES >> 20) + " MiB"));
                }
                if (bytes.length > LONGEST_FILE) {
                    faults.add(FilterFault.of(name, "is longer than " + (LONGEST_FILE >> 20) + " MiB"));
                } else {
                    files.add(new FilterSource(name, text(bytes)));
                }
            } catch (AccessDeniedException e) {
                faults.add(FilterFault.of(name, "can't be read: permission denied"));
            } catch (CharacterCodingException e) {
                faults.add(FilterFault.of(name, "is not UTF-8 text"));
            }
        }
        if (!faults.isEmpty()) {
            throw new FilterFaultsException(faults);
        }
        return files;
    }

    /**
     * Reads a file, but at most one byte more than the limit. The additional byte suffices to detect a file that is too
     * long.
     */
    private static byte[] bytes(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return in.readNBytes(LONGEST_FILE + 1);
        }
    }

    private static String text(byte[] bytes) throws CharacterCodingException {
        // This decoder refuses malformed input. The constructor of String would replace it.
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
                warnings.add("directory " + directory
                        + " is writable by every user: every user can change the gateway's code");
            }
        }
        return warnings;
    }

    static boolean isWritableByOthers(Path directory) throws IOException {
        try {
            return Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE);
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }
}
