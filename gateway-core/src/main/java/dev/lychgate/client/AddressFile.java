package dev.lychgate.client;

import dev.lychgate.config.Cidr;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file with an address or a block of addresses in each line. Empty lines, and everything from {@code #} or {@code ;} to the end of a
 * line, are ignored, as in published lists.
 */
final class AddressFile {
    /** A file that is longer was named by mistake. */
    private static final long LONGEST = 128L << 20;

    private AddressFile() {}

    /** A file that can't be used. The message has the line, if it is one, and what was expected. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        Unusable(String why) {
            super(why);
        }
    }

    /**
     * Adds the blocks of a file.
     *
     * @param most the most {@linkplain AddressSet.Builder#bytes bytes} that the blocks may need
     * @throws Unusable with the line and the reason
     */
    static void read(Path file, AddressSet.Builder to, long most) throws Unusable {
        int number = 0;
        try {
            require(file);
            try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    number++;
                    String block = content(line);
                    if (!block.isEmpty()) {
                        to.add(Cidr.parse(block));
                        if (to.bytes() > most) {
                            throw new Unusable(
                                    "line " + number + ": the blocks up to here need more than a quarter of the heap");
                        }
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            throw new Unusable("line " + number + ": expected " + e.getMessage());
        } catch (MalformedInputException e) {
            throw new Unusable("line " + (number + 1) + ": is not UTF-8");
        } catch (NoSuchFileException e) {
            throw new Unusable("there is no such file");
        } catch (IOException e) {
            throw new Unusable("can't be read: " + e.getClass().getSimpleName());
        }
    }

    private static void require(Path file) throws IOException, Unusable {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            // Reading a pipe might never end.
            throw new Unusable("is not a regular file");
        }
        if (Files.size(file) > LONGEST) {
            throw new Unusable("is longer than 128 MiB");
        }
    }

    private static String content(String line) {
        int end = line.length();
        for (int i = 0; i < end; i++) {
            char c = line.charAt(i);
            if (c == '#' || c == ';') {
                end = i;
            }
        }
        return line.substring(0, end).strip();
    }
}
