package dev.lychgate.server.fleet;

import dev.lychgate.fleet.FleetException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Creates a release from a directory. Hidden files are omitted. Symbolic links, special files and private keys are
 * refused, because every reader of the store can read a release.
 */
public final class ReleaseSource {
    private static final String PRIVATE_KEY = "PRIVATE KEY-----";

    private ReleaseSource() {}

    /**
     * Reads and signs a directory.
     *
     * @param directory contains the file {@link ReleaseManifest#MAIN}
     * @throws FleetException if a file is refused, or the files exceed a limit
     * @throws IOException if a file cannot be read
     */
    public static Release sign(
            Path directory, String space, String author, Instant time, String message, SigningKey key)
            throws FleetException, IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        collect(directory, "", contents, 0);
        List<ReleaseFile> files = new ArrayList<>();
        for (Map.Entry<String, byte[]> file : contents.entrySet()) {
            files.add(ReleaseFile.of(file.getKey(), file.getValue().length, ReleaseManifest.digest(file.getValue())));
        }
        Instant created = time.truncatedTo(ChronoUnit.SECONDS);
        return Release.sign(new ReleaseManifest(space, author, created, message, files), contents, key);
    }

    private static long collect(Path directory, String prefix, Map<String, byte[]> contents, long before)
            throws FleetException, IOException {
        List<Path> children;
        try (Stream<Path> all = Files.list(directory)) {
            children = all.sorted().toList();
        }
        long size = before;
        for (Path child : children) {
            String name = child.getFileName().toString();
            if (name.startsWith(".")) {
                continue;
            }
            String path = ReleaseFile.checked(prefix + name);
            if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                size = collect(child, path + "/", contents, size);
            } else {
                byte[] content = content(child, path, ReleaseManifest.LARGEST - size);
                contents.put(path, content);
                size += content.length;
            }
            if (contents.size() > ReleaseManifest.MOST_FILES) {
                throw FleetException.refused("more than " + ReleaseManifest.MOST_FILES + " files");
            }
        }
        return size;
    }

    private static byte[] content(Path file, String path, long most) throws FleetException, IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw FleetException.refused("'" + path + "' is a symbolic link or a special file");
        }
        byte[] content;
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            content = in.readNBytes((int) most + 1);
        }
        if (content.length > most) {
            throw FleetException.refused("the files exceed " + (ReleaseManifest.LARGEST >> 20) + " MiB");
        }
        if (new String(content, StandardCharsets.ISO_8859_1).contains(PRIVATE_KEY)) {
            throw FleetException.refused("'" + path + "' contains a private key, which every reader of the store could"
                    + " read; refer to a file on the nodes instead");
        }
        return content;
    }
}
