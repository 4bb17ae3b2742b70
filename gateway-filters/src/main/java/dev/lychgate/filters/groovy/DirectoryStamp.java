package dev.lychgate.filters.groovy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What can be told of files without reading them: names, sizes, times, identities, and where links lead. Cheap enough to be
 * asked for several times a second.
 *
 * @param text the same for the same state; for nobody to read
 * @param sizes the lengths of the files in bytes, by their names
 */
public record DirectoryStamp(String text, Map<String, Long> sizes) {
    /** No state of any files. */
    public static final DirectoryStamp NONE = new DirectoryStamp("", Map.of());

    /** The filter files of a directory. Never throws: that a directory can't be read is a state like others. */
    public static DirectoryStamp of(Path root) {
        StringBuilder text = new StringBuilder();
        Map<String, Long> sizes = new HashMap<>();
        try {
            DirectoryWalk walk = DirectoryWalk.of(root);
            text.append(root.toRealPath()).append('\n');
            for (Path directory : walk.directories()) {
                text.append(walk.name(directory))
                        .append(" -> ")
                        .append(directory.toRealPath())
                        .append('\n');
            }
            for (Path file : walk.files()) {
                text.append(walk.name(file)).append(" -> ").append(file.toRealPath());
                sizes.put(walk.name(file), add(text, file));
            }
            walk.ignored().forEach(file -> text.append(file.file()).append('\n'));
        } catch (IOException | FilterFaultsException e) {
            text.append(e);
        }
        return new DirectoryStamp(text.toString(), sizes);
    }

    /** Single files, through links. Never throws either. */
    public static DirectoryStamp ofFiles(Collection<String> files) {
        StringBuilder text = new StringBuilder();
        Map<String, Long> sizes = new HashMap<>();
        for (String file : files) {
            text.append(file);
            try {
                sizes.put(file, add(text, Path.of(file)));
            } catch (IOException e) {
                text.append(" is unreadable\n");
                sizes.put(file, 0L);
            }
        }
        return new DirectoryStamp(text.toString(), sizes);
    }

    /** @return the length of the file */
    private static long add(StringBuilder text, Path file) throws IOException {
        BasicFileAttributes state = Files.readAttributes(file, BasicFileAttributes.class);
        text.append(' ').append(state.size());
        text.append(' ').append(state.lastModifiedTime().to(TimeUnit.NANOSECONDS));
        text.append(' ')
                .append(state.fileKey())
                .append(' ')
                .append(changed(file))
                .append('\n');
        return state.size();
    }

    /** When the inode was changed: what was copied with its old time shows here alone. */
    private static Object changed(Path file) throws IOException {
        try {
            return Files.getAttribute(file, "unix:ctime");
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            return "";
        }
    }
}
