package dev.lychgate.server.fleet;

import dev.lychgate.filters.libraries.Sha256;
import dev.lychgate.fleet.FleetException;
import dev.lychgate.fleet.FleetNames;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The list of the files of a release. Its text has a single valid form, so the digest of the text identifies the
 * release. Immutable.
 *
 * @param space the fleet for which the release was made
 * @param author the name that the author states; the signature does not prove it
 * @param created the time of the release, in whole seconds
 * @param message a description of the change
 * @param files ordered by path
 */
public record ReleaseManifest(String space, String author, Instant created, String message, List<ReleaseFile> files) {
    /** The maximum size of the content of all files together, in bytes. */
    public static final long LARGEST = 64L << 20;
    /** The maximum number of files. */
    public static final int MOST_FILES = 10_000;
    /** The configuration file that every release must contain. */
    public static final String MAIN = "gateway.yml";

    private static final String KIND = "lychgate-release 1";

    public ReleaseManifest {
        files = List.copyOf(files);
    }

    /** Returns the canonical text. */
    byte[] text() {
        StringBuilder text = new StringBuilder(KIND)
                .append("\nspace ")
                .append(space)
                .append("\nauthor ")
                .append(author)
                .append("\ncreated ")
                .append(created)
                .append("\nmessage ")
                .append(message)
                .append('\n');
        files.forEach(file -> text.append("file ")
                .append(file.sha256())
                .append(' ')
                .append(file.size())
                .append(' ')
                .append(file.path())
                .append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the digest that names the release, in hexadecimal. */
    public String digest() {
        return digest(text());
    }

    static String digest(byte[] bytes) {
        return HexFormat.of().formatHex(Sha256.start().digest(bytes));
    }

    /** Returns the size of all files together. */
    public long size() {
        return files.stream().mapToLong(ReleaseFile::size).sum();
    }

    /**
     * Parses a text.
     *
     * @throws FleetException if it is malformed, not canonical, or exceeds a limit
     */
    static ReleaseManifest parse(byte[] text) throws FleetException {
        TextFields fields = new TextFields(KIND, text);
        String space = FleetNames.name("space", fields.value("space"));
        String author = FleetText.line("author", fields.value("author"));
        Instant created = FleetText.time(fields.value("created"));
        String message = FleetText.line("message", fields.value("message"));
        List<ReleaseFile> files = new ArrayList<>();
        for (String line = fields.optional("file"); line != null; line = fields.optional("file")) {
            String[] parts = line.split(" ", 3);
            if (parts.length != 3) {
                throw FleetException.refused(KIND + ": a file is malformed");
            }
            files.add(ReleaseFile.of(parts[2], FleetText.number("size of a file", parts[1]), parts[0]));
            if (files.size() > MOST_FILES) {
                throw FleetException.refused("the release has more than " + MOST_FILES + " files");
            }
        }
        fields.end();
        ReleaseManifest manifest = new ReleaseManifest(space, author, created, message, files);
        manifest.check();
        if (!Arrays.equals(manifest.text(), text)) {
            throw FleetException.refused(KIND + ": the text is not in its canonical form");
        }
        return manifest;
    }

    private void check() throws FleetException {
        long size = 0;
        String before = "";
        Set<String> folded = new HashSet<>();
        Set<String> directories = new HashSet<>();
        for (ReleaseFile file : files) {
            size += Math.min(file.size(), LARGEST + 1);
            if (size > LARGEST) {
                throw FleetException.refused("the files of the release exceed " + (LARGEST >> 20) + " MiB");
            }
            if (file.path().compareTo(before) <= 0) {
                throw FleetException.refused("a path is duplicate or out of order: '" + file.path() + "'");
            }
            before = file.path();
            // On a file system that ignores case, the second file would replace the first one.
            if (!folded.add(before.toLowerCase(Locale.ROOT))) {
                throw FleetException.refused("two paths differ only in case: '" + before + "'");
            }
            for (int at = before.indexOf('/'); at > 0; at = before.indexOf('/', at + 1)) {
                directories.add(before.substring(0, at).toLowerCase(Locale.ROOT));
            }
        }
        directories.retainAll(folded);
        if (!directories.isEmpty()) {
            throw FleetException.refused("a path names both a file and a directory: '"
                    + directories.iterator().next() + "'");
        }
        if (files.stream().noneMatch(file -> file.path().equals(MAIN))) {
            throw FleetException.refused("the release has no " + MAIN);
        }
    }
}
