package dev.lychgate.server.history;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lists and reads the files of a history: the rolled files in their order, and then the newest file. */
final class Lines {
    /** The maximum length of a line, in bytes. The line of an entry is always shorter. */
    private static final int LONGEST = 1 << 20;

    private static final String NUMBER = "[0-9]{15}";
    private static final String ROLLED = "\\." + NUMBER;

    private Lines() {}

    /** Receives the lines of a file. */
    interface Visitor {
        /**
         * @param line the line with its line feed, which an incomplete last line lacks
         * @param whole whether the line has a line feed
         */
        void line(byte[] line, boolean whole) throws IOException;
    }

    /**
     * Returns the name of a rolled file.
     *
     * @param first the number of the first entry in the file
     */
    static Path rolled(Path file, long first) {
        return file.resolveSibling(file.getFileName() + ".%015d".formatted(first));
    }

    /**
     * Returns the number in the name of a rolled file, which is the number of the file's first entry. Returns 0 for the
     * newest file.
     */
    static long first(Path file) {
        String name = file.getFileName().toString();
        String end = name.substring(name.lastIndexOf('.') + 1);
        return end.matches(NUMBER) ? Long.parseLong(end) : 0;
    }

    /** Returns the rolled files, the oldest first. */
    static List<Path> rolled(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        String name = String.valueOf(file.getFileName());
        if (directory == null || !Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(each -> {
                        String other = each.getFileName().toString();
                        return other.startsWith(name)
                                && other.substring(name.length()).matches(ROLLED)
                                && Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS);
                    })
                    .sorted()
                    .toList();
        }
    }

    /** Returns all existing files, the oldest first. */
    static List<Path> all(Path file) throws IOException {
        List<Path> all = new ArrayList<>(rolled(file));
        if (Files.exists(file)) {
            all.add(file);
        }
        return all;
    }

    /**
     * Reads a file to its end.
     *
     * @throws IOException also if a line is longer than any entry
     */
    static void visit(Path file, Visitor visitor) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        byte[] part = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(part); read > 0; read = in.read(part)) {
                int begin = 0;
                for (int i = 0; i < read; i++) {
                    if (part[i] == '\n') {
                        line.write(part, begin, i + 1 - begin);
                        visitor.line(line.toByteArray(), true);
                        line.reset();
                        begin = i + 1;
                    }
                }
                line.write(part, begin, read - begin);
                if (line.size() > LONGEST) {
                    throw new IOException(file + " has a line of more than " + LONGEST + " bytes");
                }
            }
        }
        if (line.size() > 0) {
            visitor.line(line.toByteArray(), false);
        }
    }
}
