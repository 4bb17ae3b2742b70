package dev.lychgate.server.reload;

import dev.lychgate.filters.groovy.FilterDirectory;
import dev.lychgate.filters.libraries.Sha256;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A directory that stores the contents of files, and lists of files. The name of each stored file is the digest of its
 * content, and each read verifies this digest. Only the user of the process can read the directory. Methods block.
 *
 * <p>One thread adds and deletes contents. Another thread may read and restore contents at the same time; this fails if
 * the content is deleted meanwhile.
 */
final class DigestStore {
    private static final String DIGEST = "[0-9a-f]{64}";
    private static final int SHOWN = 12;
    /** The size in bytes of the largest content that is read into memory. */
    private static final int LARGEST = 64 << 20;
    /** The name of a file that is being written. */
    private static final String NEW = "new";

    private final Path place;
    private final Path files;
    private final Path lists;
    private final Path trees;

    /** @param place the directory; created when it is first needed */
    DigestStore(Path place) {
        this.place = place;
        this.files = place.resolve("files");
        this.lists = place.resolve("lists");
        this.trees = place.resolve("restored");
    }

    Path place() {
        return place;
    }

    /**
     * Stores a content.
     *
     * @return the digest of the content
     */
    String put(byte[] content) throws IOException {
        String digest = digest(content);
        write(files.resolve(digest), content);
        return digest;
    }

    /**
     * Stores the content of a file.
     *
     * @throws IOException if the file cannot be stored, or if it was overwritten and no longer has the digest
     */
    void putFile(Path file, String digest) throws IOException {
        Path target = files.resolve(digest);
        if (!isRegular(target)) {
            createParent(target);
            Path next = target.resolveSibling(NEW);
            Files.deleteIfExists(next);
            try {
                if (!copy(file, next).equals(digest)) {
                    throw new IOException(file + " has changed since it was read");
                }
                Files.move(next, target, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(next);
            }
        }
    }

    /**
     * Stores a list. If the list is already stored, makes it the newest list.
     *
     * @return the digest of the list
     */
    String putList(KeptList list) throws IOException {
        byte[] content = list.bytes();
        String digest = digest(content);
        Path file = lists.resolve(digest);
        write(file, content);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
        return digest;
    }

    boolean hasList(String digest) {
        return isRegular(lists.resolve(digest));
    }

    /**
     * Replaces a file atomically by a temporary file, after the content of the temporary file is complete on the disk.
     */
    private static void write(Path file, byte[] content) throws IOException {
        if (isRegular(file) && Files.size(file) == content.length) {
            return;
        }
        createParent(file);
        Path next = file.resolveSibling(NEW);
        Files.deleteIfExists(next);
        try {
            copy(new ByteArrayInputStream(content), next);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            // On a full disk, an incomplete file would occupy the space that the next file needs.
            Files.deleteIfExists(next);
        }
    }

    private static String copy(Path from, Path to) throws IOException {
        try (InputStream in = Files.newInputStream(from)) {
            return copy(in, to);
        }
    }

    /**
     * Writes a new file, which is on the disk when this method returns.
     *
     * @return the digest of its content
     */
    private static String copy(InputStream from, Path to) throws IOException {
        DigestInputStream in = new DigestInputStream(from, Sha256.start());
        try (FileChannel channel =
                FileChannel.open(to, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), forUser(to))) {
            in.transferTo(Channels.newOutputStream(channel));
            channel.force(true);
        }
        return HexFormat.of().formatHex(in.getMessageDigest().digest());
    }

    private static void createParent(Path file) throws IOException {
        Path parent = file.getParent();
        if (parent != null) {
            FilterDirectory.createForUser(parent);
        }
    }

    private static FileAttribute<?>[] forUser(Path of) {
        return of.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Returns a stored content.
     *
     * @throws IOException if it is missing, or does not match the digest
     */
    byte[] get(String digest) throws IOException {
        return read(files, digest);
    }

    KeptList list(String digest) throws IOException {
        return KeptList.of(read(lists, digest));
    }

    private static byte[] read(Path directory, String digest) throws IOException {
        byte[] content;
        try (InputStream in = open(directory, digest)) {
            content = in.readNBytes(LARGEST + 1);
        }
        if (content.length > LARGEST || !digest(content).equals(digest)) {
            throw changed(digest);
        }
        return content;
    }

    /** Opens a file only if it is a regular file, because reading a named pipe would block all reloads. */
    private static InputStream open(Path directory, String digest) throws IOException {
        Path file = checked(directory, digest);
        try {
            if (!Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isRegularFile()) {
                throw changed(digest);
            }
            return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw missing(digest, e);
        }
    }

    private static boolean isRegular(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static Path checked(Path directory, String digest) throws IOException {
        if (!digest.matches(DIGEST)) {
            throw new IOException("a digest is malformed");
        }
        return directory.resolve(digest);
    }

    private static IOException missing(String digest, NoSuchFileException e) {
        return new IOException("the content " + digest.substring(0, SHOWN) + " is no longer kept", e);
    }

    private static IOException changed(String digest) {
        return new IOException("the content " + digest.substring(0, SHOWN) + " was changed");
    }

    private static String digest(byte[] content) {
        return HexFormat.of().formatHex(Sha256.start().digest(content));
    }

    /**
     * Creates and returns an empty directory for restored files, and deletes the directories that are no longer used.
     *
     * @param name a digest
     * @param used the names of the directories to keep
     */
    Path emptyTree(String name, Set<String> used) throws IOException {
        for (Path other : children(trees)) {
            if (!used.contains(other.getFileName().toString())) {
                delete(other);
            }
        }
        Path tree = checked(trees, name);
        delete(tree);
        FilterDirectory.createForUser(tree);
        return tree;
    }

    /**
     * Writes a stored content into a directory.
     *
     * @param path the path of the file, relative to {@code tree}
     */
    void restore(String digest, Path tree, String path) throws IOException {
        Path file = tree.resolve(path).normalize();
        if (!file.startsWith(tree)) {
            throw new IOException("a path leads out of its directory");
        }
        createParent(file);
        try (InputStream in = open(files, digest)) {
            if (!copy(in, file).equals(digest)) {
                throw changed(digest);
            }
        }
    }

    /**
     * Deletes the oldest lists until the remaining lists and their files are within both limits. Never deletes the
     * newest list. Then deletes the files to which no list refers.
     */
    void prune(int most, long mostBytes) throws IOException {
        List<Path> all = children(lists).stream()
                .filter(file -> file.getFileName().toString().matches(DIGEST))
                .sorted(Comparator.comparing(DigestStore::time).reversed())
                .toList();
        Set<String> used = new HashSet<>();
        long bytes = 0;
        int kept = 0;
        for (Path each : all) {
            Set<String> further = new HashSet<>();
            try {
                list(each.getFileName().toString()).digests().forEach(further::add);
            } catch (IOException e) {
                // The list is damaged, so no rollback can use it.
                Files.deleteIfExists(each);
                continue;
            }
            further.removeAll(used);
            long size = 0;
            for (String digest : further) {
                size += size(files.resolve(digest));
            }
            if (kept > 0 && (kept >= most || bytes + size > mostBytes)) {
                Files.deleteIfExists(each);
                continue;
            }
            kept++;
            bytes += size;
            used.addAll(further);
        }
        for (Path file : children(files)) {
            if (!used.contains(file.getFileName().toString())) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static long size(Path file) throws IOException {
        return isRegular(file) ? Files.size(file) : 0;
    }

    private static Instant time(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException e) {
            return Instant.EPOCH;
        }
    }

    private static List<Path> children(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        }
    }

    private static void delete(Path tree) throws IOException {
        if (Files.exists(tree)) {
            try (Stream<Path> all = Files.walk(tree)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}
