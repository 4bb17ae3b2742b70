package dev.lychgate.server.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Reads a file as UTF-8 text. A failure is reported as a single error. */
final class YamlSource {
    /**
     * The maximum size of a file in bytes, which suffices for tens of thousands of routes and is small compared with
     * the heap.
     */
    static final int LARGEST = 4 << 20;

    /**
     * The maximum length of a line in characters. It is limited because the parsing time grows with the square of the
     * length of a line.
     */
    static final int LONGEST_LINE = 64 << 10;

    /**
     * The contents of pipes that were read. The check, the start and each reload read the configuration, but a pipe can
     * be read only once. Therefore, the contents are kept.
     */
    private static final Map<Path, byte[]> PIPES = new ConcurrentHashMap<>();

    private YamlSource() {}

    static String read(Path file) throws FaultyConfigException {
        String name = file.toString();
        if (Files.isDirectory(file)) {
            throw Faults.only(name, Position.WHOLE_FILE, "is a directory", "a YAML file");
        }
        if (Files.exists(file) && !Files.isRegularFile(file) && !isDescriptor(file)) {
            // The file is refused, because reading it might never end, and a second read would return other content.
            throw Faults.only(
                    name, Position.WHOLE_FILE, "is not a regular file", "a YAML file, or a pipe as /dev/stdin");
        }
        try {
            byte[] bytes = bytes(file);
            if (bytes.length > LARGEST) {
                throw Faults.only(name, Position.WHOLE_FILE, "larger than 4 MiB", "at most 4 MiB");
            }
            return decode(name, bytes);
        } catch (NoSuchFileException e) {
            throw Faults.only(name, Position.WHOLE_FILE, "no such file", "a YAML file; name it with --config");
        } catch (AccessDeniedException e) {
            throw Faults.only(name, Position.WHOLE_FILE, "permission denied", "a file this user may read");
        } catch (IOException e) {
            throw Faults.only(name, Position.WHOLE_FILE, "can't be read: " + e.getMessage(), "");
        }
    }

    private static byte[] bytes(Path file) throws IOException {
        byte[] before = PIPES.get(file);
        if (before != null) {
            return before;
        }
        // The size of the file is not used, because pipes and devices have no size.
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (!Files.isRegularFile(file)) {
                PIPES.put(file, bytes);
            }
            return bytes;
        }
    }

    /**
     * Returns whether the file may be a pipe that a shell opened for this process, such as {@code /dev/stdin} or
     * {@code /dev/fd/63}.
     */
    private static boolean isDescriptor(Path file) {
        return file.startsWith("/dev") || file.startsWith("/proc/self/fd");
    }

    static String decode(String name, byte[] bytes) throws FaultyConfigException {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            int line = 1 + (int) text.chars().filter(c -> c == '\n').count();
            int column = text.length() - text.lastIndexOf('\n');
            throw Faults.only(name, new Position("", line, column), "a byte that is not UTF-8", "a file in UTF-8");
        }
        checkLines(name, text);
        // YAML allows a byte order mark, which has no meaning in UTF-8.
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static void checkLines(String name, String text) throws FaultyConfigException {
        int line = 1;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\r') {
                line += c == '\r' && text.startsWith("\n", i + 1) ? 0 : 1;
                begin = i + 1;
            } else if (i - begin >= LONGEST_LINE) {
                Position at = new Position("", line, LONGEST_LINE + 1);
                throw Faults.only(name, at, "a line of more than 64 KiB", "at most 65536 characters");
            }
        }
    }
}
