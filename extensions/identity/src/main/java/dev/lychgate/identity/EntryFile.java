package dev.lychgate.identity;

import dev.lychgate.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file in UTF-8 with one entry per line. The file is accepted or refused as a whole. Empty lines and lines that begin
 * with {@code #} are ignored. Each line must end with LF or CRLF, because a line without a line break may be
 * incomplete, for example without the expiry. Messages contain the number of a line and never its text, because a user
 * may have written a secret there.
 */
final class EntryFile {
    /** The maximum file size, in bytes. A larger file was probably configured by mistake. */
    private static final int LARGEST = 64 << 20;
    /** The maximum line length. A longer line is probably from a file of another kind. */
    private static final int LONGEST_LINE = 4_096;

    private static final int MOST_ENTRIES = 100_000;
    /** The approximate memory of an entry, in bytes, in addition to four bytes for each character of its line. */
    private static final int OVERHEAD = 512;

    private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 4;
    private static final String FILE = "file";

    /** Receives the entries. */
    interface Entries {
        /**
         * Adds an entry.
         *
         * @param line a line without surrounding blanks; not empty
         * @throws IllegalArgumentException if the line is refused; the message describes the expected line and
         *     contains no part of the refused line
         */
        void add(String line, int number);
    }

    private EntryFile() {}

    /**
     * Reads a file. Links are followed, because Kubernetes mounts secrets as links.
     *
     * @throws ConfigException if the file cannot be read, has a malformed line, or has no entry; the exception has the
     *     key {@code file}, the line and the reason
     */
    static void read(String file, Entries entries) {
        String text = text(file);
        int count = 0;
        int number = 0;
        long needed = 0;
        for (int from = 0; from < text.length(); ) {
            number++;
            int end = text.indexOf('\n', from);
            if (end < 0) {
                throw refused(
                        file,
                        number,
                        "a line feed at the end of the last line; without a line feed, the line may be incompletely"
                                + " written");
            }
            String line = text.substring(from, end).strip();
            from = end + 1;
            if (!line.isEmpty() && line.charAt(0) != '#') {
                if (++count > MOST_ENTRIES) {
                    throw refused(file, number, "at most " + MOST_ENTRIES + " entries");
                }
                needed += OVERHEAD + 4L * line.length();
                if (needed > MOST_BYTES) {
                    throw refused(file, number, "entries that need at most a quarter of the heap, or a larger heap");
                }
                add(file, line, number, entries);
            }
        }
        if (count == 0) {
            // An empty file is refused, because a writer truncates a file before it writes the new content.
            throw new ConfigException(FILE, file, "a file with at least one entry");
        }
    }

    private static void add(String file, String line, int number, Entries entries) {
        if (line.length() > LONGEST_LINE) {
            throw refused(file, number, "lines of at most " + LONGEST_LINE + " characters");
        }
        try {
            entries.add(line, number);
        } catch (IllegalArgumentException e) {
            throw refused(file, number, String.valueOf(e.getMessage()));
        }
    }

    private static ConfigException refused(String file, int line, String expected) {
        return new ConfigException(FILE, file + ": line " + line, expected);
    }

    private static String text(String file) {
        try {
            Path path = Path.of(file);
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                // A file that is not regular is refused, because reading a pipe might never end.
                throw new ConfigException(FILE, file, "a regular file");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes(path, file)))
                    .toString();
            if (text.indexOf('\0') >= 0) {
                throw new ConfigException(FILE, file, "text without the character NUL");
            }
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (NoSuchFileException e) {
            throw new ConfigException(FILE, file, "a file that exists", e);
        } catch (CharacterCodingException e) {
            throw new ConfigException(FILE, file, "text in UTF-8", e);
        } catch (IOException e) {
            throw new ConfigException(FILE, file, "a file that can be read: " + e, e);
        }
    }

    private static byte[] bytes(Path path, String file) throws IOException {
        // The size in the attributes is not used, because the file may grow during the read.
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new ConfigException(FILE, file, "a file of at most 64 MiB");
            }
            return bytes;
        }
    }
}
