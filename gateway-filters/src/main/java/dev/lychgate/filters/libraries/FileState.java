package dev.lychgate.filters.libraries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * The state of a file without its content, following links.
 *
 * @param size its length in bytes
 * @param text its length, times and identity; equal for equal states; not for display
 */
public record FileState(long size, String text) {
    public static FileState of(Path file) throws IOException {
        BasicFileAttributes state = Files.readAttributes(file, BasicFileAttributes.class);
        return new FileState(
                state.size(),
                state.size() + " " + state.lastModifiedTime().to(TimeUnit.NANOSECONDS) + " " + state.fileKey() + " "
                        + changed(file));
    }

    /** Returns the change time of the inode, which differs even if a copy preserves the modification time. */
    private static Object changed(Path file) throws IOException {
        try {
            return Files.getAttribute(file, "unix:ctime");
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return "";
        }
    }
}
