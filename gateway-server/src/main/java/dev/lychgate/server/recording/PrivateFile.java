package dev.lychgate.server.recording;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * Opens recordings and their locks, which only the user of this process may read. Symbolic links are refused, because
 * another user may have created them. On a file system without POSIX permissions, the rules of the file system apply.
 */
final class PrivateFile {
    private static final Set<PosixFilePermission> OWN =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private PrivateFile() {}

    /**
     * Opens or creates a file for reading and writing.
     *
     * @throws FileSystemException in the cases of {@link #check}
     */
    static FileChannel open(Path file) throws IOException {
        check(file);
        Set<OpenOption> options = Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        FileAttribute<?>[] attributes = has(file, "posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWN)}
                : new FileAttribute<?>[0];
        return FileChannel.open(file, options, attributes);
    }

    /**
     * Requires that a file does not exist, or is a regular file of the user of this process.
     *
     * @throws FileSystemException if it is a link, a directory or a device, or belongs to another user
     */
    static void check(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            String kind = Files.isSymbolicLink(file) ? "a symbolic link" : "not a regular file";
            throw new FileSystemException(file.toString(), null, kind + " (expected: a regular file, or no file)");
        }
        if (has(file, "unix") && owner(file) != self(file)) {
            throw new FileSystemException(file.toString(), null, "belongs to another user");
        }
    }

    /**
     * Removes all permissions of the group and of other users.
     *
     * @throws FileSystemException if the file system does not remove these permissions
     */
    static void tighten(Path file) throws IOException {
        if (!has(file, "posix") || !hasMore(file)) {
            return;
        }
        Set<PosixFilePermission> left = EnumSet.copyOf(OWN);
        left.retainAll(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
        Files.setAttribute(file, "posix:permissions", left, LinkOption.NOFOLLOW_LINKS);
        if (hasMore(file)) {
            throw new FileSystemException(
                    file.toString(), null, "other users have permissions, and the file system does not remove them");
        }
    }

    /** Returns whether a file grants any permission other than reading and writing by its owner. */
    private static boolean hasMore(Path file) throws IOException {
        return !OWN.containsAll(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS));
    }

    private static int owner(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Returns the id of the user who owns new files in the directory of a file. Ids are compared because a container
     * may not know the names of users.
     */
    private static int self(Path file) throws IOException {
        Path directory = directory(file);
        Path own;
        try {
            own = Files.createTempFile(directory, "owner", null);
        } catch (AccessDeniedException e) {
            throw new AccessDeniedException(directory.toString());
        }
        try {
            return owner(own);
        } finally {
            Files.delete(own);
        }
    }

    /** Returns the directory of a file. */
    static Path directory(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file has a directory");
    }

    private static boolean has(Path file, String view) {
        return file.getFileSystem().supportedFileAttributeViews().contains(view);
    }
}
