package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** Writes files so that other processes see only complete files, even if this process is killed. */
final class StoredFiles {
    /** The names of temporary files begin with this text. */
    static final String TEMPORARY = ".new-";

    private static final SecureRandom RANDOM = new SecureRandom();

    private StoredFiles() {}

    /**
     * Replaces a file in a directory, which must exist. Content and name of the file are on the disk when this method
     * returns.
     */
    static void replace(Path file, byte[] content) throws IOException {
        Path directory = file.resolveSibling("");
        Path next = temporary(directory, content);
        try {
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(next);
            throw e;
        }
        sync(directory);
    }

    /** Writes and returns a temporary file in a directory, which must exist. */
    static Path temporary(Path directory, byte[] content) throws IOException {
        Path file = directory.resolve(temporaryName());
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                out.write(rest);
            }
            out.force(true);
            return file;
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    static String temporaryName() {
        byte[] suffix = new byte[8];
        RANDOM.nextBytes(suffix);
        return TEMPORARY + HexFormat.of().formatHex(suffix);
    }

    /** Reads a regular file. A link or a pipe is refused, because reading it could block or return another file. */
    static byte[] read(Path file, int most) throws IOException, FleetException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw FleetException.refused(
                    "the file " + Release.shortened(name(file)) + " in the store is not a regular file");
        }
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = in.readNBytes(most + 1);
            if (bytes.length > most) {
                throw FleetException.refused("the file " + Release.shortened(name(file))
                        + " in the store is larger than " + most + " bytes");
            }
            return bytes;
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** Returns whether a regular file has this content. */
    static boolean has(Path file, byte[] content) throws IOException, FleetException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.size(file) == content.length
                && Arrays.equals(read(file, content.length), content);
    }

    /** Returns the files of a directory; an empty list if the directory does not exist. */
    static List<Path> children(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** Makes the names in a directory durable, where the operating system supports that. */
    static void sync(Path directory) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Some operating systems cannot open a directory. The rename is atomic nevertheless.
        }
    }

    /** Deletes a directory and its content. Symbolic links are deleted, not followed. */
    static void deleteTree(Path directory) throws IOException {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
