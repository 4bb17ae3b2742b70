package dev.lychgate.filters.libraries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * The attributes of a file that show whether the file has been written or replaced. Links are followed.
 *
 * @param size the length of the file, in bytes
 * @param text the length, times and identity of the file as a text for comparisons; equal texts mean that the file is
 *     unchanged
 */
public record FileState(long size, String text) {
    public static FileState of(Path file) throws IOException {
        BasicFileAttributes state = Files.readAttributes(file, BasicFileAttributes.class);
        return new FileState(
                state.size(),
                state.size() + " " + state.lastModifiedTime().to(TimeUnit.NANOSECONDS) + " " + state.fileKey() + " "
                        + changed(file));
    }

    /**
     * Returns the change time of the inode. A copy of a file may have the modification time of the original, but not
     * its change time.
     */
    private static Object changed(Path file) throws IOException {
        try {
            return Files.getAttribute(file, "unix:ctime");
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return "";
        }
    }
}
