package dev.lychgate.filters.libraries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * Attributes of a file by which a write or a replacement of the file is detected. Links are followed.
 *
 * @param size length of the file in bytes
 * @param text length, times and identity of the file, for comparison only; equal texts mean an unchanged file
 */
public record FileState(long size, String text) {
    public static FileState of(Path file) throws IOException {
        BasicFileAttributes state = Files.readAttributes(file, BasicFileAttributes.class);
        return new FileState(
                state.size(),
                state.size() + " " + state.lastModifiedTime().to(TimeUnit.NANOSECONDS) + " " + state.fileKey() + " "
                        + changed(file));
    }

    /** Returns the change time of the inode. A copy may preserve the modification time of a file, but not this time. */
    private static Object changed(Path file) throws IOException {
        try {
            return Files.getAttribute(file, "unix:ctime");
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return "";
        }
    }
}
