package dev.lychgate.filters.groovy;

import dev.lychgate.filters.libraries.FileState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record of the state of files without their contents: names, sizes, times, identities, and targets of links. It is
 * cheap enough to be taken several times a second.
 *
 * @param text a text that is equal for equal states; used for comparisons and nothing else
 * @param sizes the lengths of the files in bytes, by their names
 */
public record DirectoryStamp(String text, Map<String, Long> sizes) {
    public static final DirectoryStamp NONE = new DirectoryStamp("", Map.of());

    /**
     * Returns the stamp of the filter files in a directory. If the directory is unreadable, does not throw an
     * exception, but returns a stamp that records this state.
     *
     * @param libraries an additional directory, which contains jars; null if there is none
     */
    static DirectoryStamp of(Path root, @Nullable Path libraries) {
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
            // The stamp includes tests, because a refused change may be accepted after a test has been corrected.
            for (Path test : walk.tests()) {
                text.append(walk.name(test)).append(" -> ").append(test.toRealPath());
                sizes.put(walk.name(test), add(text, test));
            }
            for (Path jar : FilterLibraries.jars(walk, libraries)) {
                text.append(jar).append(" -> ").append(jar.toRealPath());
                sizes.put(jar.toString(), add(text, jar));
            }
            walk.ignored().forEach(file -> text.append(file.file()).append('\n'));
        } catch (IOException | FilterFaultsException e) {
            text.append(e);
        }
        return new DirectoryStamp(text.toString(), sizes);
    }

    /** Returns the stamp of single files. Follows links. Never throws an exception. */
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

    /**
     * Appends the state of a file to a text.
     *
     * @return the length of the file
     */
    private static long add(StringBuilder text, Path file) throws IOException {
        FileState state = FileState.of(file);
        text.append(' ').append(state.text()).append('\n');
        return state.size();
    }
}
