package dev.lychgate.client;

import dev.lychgate.config.Cidr;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file with an address or a block of addresses in each line. Empty lines are ignored. The text from {@code #} or
 * {@code ;} to the end of a line is a comment and is also ignored. Published lists contain such comments. Lines end
 * with LF or CRLF. For one thread.
 */
final class AddressFile {
    /** Maximum length of a file, in bytes. A longer file is probably not a list of addresses. */
    private static final long LONGEST = 128L << 20;
    /**
     * Maximum length of a line, in bytes. A file with a longer line is probably not a list of addresses. Without this
     * bound, the whole line would be read into memory.
     */
    private static final int LONGEST_LINE = 1024;

    private static final int SHOWN = 60;

    private final Path file;
    private final byte[] line = new byte[LONGEST_LINE];
    private int number;

    private AddressFile(Path file) {
        this.file = file;
    }

    /** A file that can't be used. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        private final String expected;

        /**
         * Creates the exception.
         *
         * @param why the reason, with the number of the line if a line is malformed
         */
        Unusable(String why, String expected) {
            super(why);
            this.expected = expected;
        }

        String expected() {
            return expected;
        }
    }

    /**
     * Reads a file and adds its blocks of addresses to {@code to}.
     *
     * @param most the maximum number of {@linkplain AddressSet.Builder#bytes bytes} that the blocks may occupy
     * @throws Unusable if the file can't be used; the exception contains the line and the reason
     */
    static void read(Path file, AddressSet.Builder to, long most) throws Unusable {
        new AddressFile(file).read(to, most);
    }

    private void read(AddressSet.Builder to, long most) throws Unusable {
        try {
            require();
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
                for (int length = next(in); length >= 0; length = next(in)) {
                    add(content(length), to, most);
                }
            }
        } catch (NoSuchFileException e) {
            throw new Unusable("there is no such file", "a file");
        } catch (IOException e) {
            throw new Unusable("can't be read: " + e, "a readable file");
        }
    }

    private void require() throws IOException, Unusable {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            // Reading a pipe might never end.
            throw new Unusable("is not a regular file", "a file");
        }
        if (Files.size(file) > LONGEST) {
            throw new Unusable("is longer than 128 MiB", "a list of addresses");
        }
    }

    /**
     * Reads the next line.
     *
     * @return the length of the line without its end; -1 after the last line
     */
    private int next(InputStream in) throws IOException, Unusable {
        int length = 0;
        int b = in.read();
        if (b < 0) {
            return -1;
        }
        number++;
        while (b >= 0 && b != '\n') {
            if (length == LONGEST_LINE) {
                throw new Unusable("line " + number + " is longer than 1024 bytes", "a list of addresses");
            }
            line[length++] = (byte) b;
            b = in.read();
        }
        return length;
    }

    /** Returns the line without its comment and surrounding blanks. Comments may contain any bytes. */
    private String content(int length) {
        int begin = 0;
        if (number == 1 && length >= 3 && line[0] == (byte) 0xef && line[1] == (byte) 0xbb && line[2] == (byte) 0xbf) {
            // The byte order mark that some editors write.
            begin = 3;
        }
        int end = begin;
        while (end < length && line[end] != '#' && line[end] != ';') {
            end++;
        }
        return new String(line, begin, end - begin, StandardCharsets.ISO_8859_1).strip();
    }

    private void add(String block, AddressSet.Builder to, long most) throws Unusable {
        if (block.isEmpty()) {
            return;
        }
        try {
            to.add(Cidr.parse(block));
        } catch (IllegalArgumentException e) {
            throw new Unusable("line " + number + ": " + shown(block), String.valueOf(e.getMessage()));
        }
        if (to.bytes() > most) {
            throw new Unusable(
                    "line " + number + ": the blocks up to this line need more than a quarter of the heap",
                    "a shorter list, or a larger heap");
        }
    }

    private static String shown(String block) {
        String printable = block.replaceAll("[^ -~]", "?");
        return printable.length() <= SHOWN ? printable : printable.substring(0, SHOWN) + "...";
    }
}
