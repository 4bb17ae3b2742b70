package dev.lychgate.server.yaml;

import dev.lychgate.config.Form;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * The included files of a configuration. A path names one file. A pattern names all matching files of a directory
 * except hidden files, in the order of their names. Each file is read once.
 */
final class Includes {
    static final int MOST_FILES = 1_000;
    /** The maximum length of all files together, in characters. */
    static final int LARGEST = 16 << 20;

    private final @Nullable Path release;

    /**
     * The paths and patterns of the last reading. The thread that reads the configuration writes this field, and the
     * thread that watches the files reads it.
     */
    private volatile List<Path> patterns = List.of();

    /** @param release the directory of a release to read instead of the active release; null for the active release */
    Includes(@Nullable Path release) {
        this.release = release;
    }

    /**
     * Returns the patterns of the configuration that was read last, even if it was refused. The files that match these
     * patterns are watched.
     */
    List<Path> patterns() {
        return patterns;
    }

    /**
     * Reads the included files.
     *
     * @param include the includes; null for none
     * @param fleetState the directory in which a node of a fleet keeps its releases; null without a fleet
     * @throws FaultyConfigException if a file can't be read, or is not YAML
     */
    List<Node> read(@Nullable Element include, @Nullable String fleetState, Texts texts) throws FaultyConfigException {
        List<Path> wanted = new ArrayList<>();
        Set<Path> files = new LinkedHashSet<>();
        for (Element each : elements(include)) {
            String written = each.read(Form.FILE, "");
            try {
                Path pattern = Path.of(written);
                wanted.add(pattern);
                files.addAll(written.isEmpty() ? List.of() : texts.matching(pattern));
            } catch (IOException e) {
                each.refuse(written, "a path in a directory that exists and may be read");
            } catch (PatternSyntaxException | InvalidPathException e) {
                each.refuse(written, "a path, the last part of which may be a pattern such as *.yml");
            }
        }
        if (fleetState != null) {
            Path release = release(fleetState);
            wanted.add(release);
            files.addAll(released(release, texts));
        }
        patterns = wanted;
        List<Node> roots = new ArrayList<>();
        int length = 0;
        for (Path file : files) {
            String text = texts.read(file);
            length += text.length();
            if (include != null && (roots.size() == MOST_FILES || length > LARGEST)) {
                include.refuse(
                        "too many or too large files", "at most " + MOST_FILES + " files, together of at most 16 MiB");
                break;
            }
            if (!isEmpty(text)) {
                roots.add(YamlDocument.parse(file.toString(), text));
            }
        }
        return roots;
    }

    private static List<Element> elements(@Nullable Element include) {
        if (include == null) {
            return List.of();
        }
        return include.isList() ? include.list("paths", item -> item) : List.of(include);
    }

    private Path release(String fleetState) {
        Path directory = release == null ? Path.of(fleetState).resolve("active") : release;
        return directory.resolve("gateway.yml");
    }

    /**
     * Returns the included file of the release as a list; an empty list before a node has received its first release.
     */
    private static List<Path> released(Path file, Texts texts) {
        try {
            // A copy of earlier texts contains the file, even if another release is active now.
            return texts.matching(file).stream().filter(texts::has).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns whether the text consists only of comments and empty lines, which is allowed for included files. */
    private static boolean isEmpty(String text) {
        return text.lines().map(String::strip).allMatch(line -> line.isEmpty() || line.startsWith("#"));
    }

    /**
     * Returns the files that match a pattern at present.
     *
     * @throws IOException if the directory of the pattern does not exist
     */
    static List<Path> matching(Path pattern) throws IOException {
        Path name = pattern.getFileName();
        if (name == null || name.toString().chars().noneMatch(c -> "*?[{".indexOf(c) >= 0)) {
            return List.of(pattern);
        }
        Path directory = pattern.getParent() == null ? Path.of("") : pattern.getParent();
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, name.toString())) {
            for (Path each : all) {
                if (!each.getFileName().toString().startsWith(".")) {
                    found.add(each);
                }
            }
        }
        found.sort(null);
        return found;
    }
}
