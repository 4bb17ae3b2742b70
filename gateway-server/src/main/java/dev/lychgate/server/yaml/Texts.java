package dev.lychgate.server.yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The source of the texts of a configuration: the files on disk, or a copy of earlier files. */
interface Texts {
    /**
     * Reads a file.
     *
     * @throws FaultyConfigException if the file can't be read, or is not text
     */
    String read(Path file) throws FaultyConfigException;

    /**
     * Returns the files that match a path of {@code include}, ordered by name.
     *
     * @throws IOException if the directory of the path does not exist
     */
    List<Path> matching(Path pattern) throws IOException;

    /** Returns whether this source contains a file. */
    boolean has(Path file);

    /** Reads the files on disk, and keeps their texts. */
    final class OnDisk implements Texts {
        private final Map<Path, String> files = new LinkedHashMap<>();
        private final Map<Path, List<Path>> patterns = new LinkedHashMap<>();

        @Override
        public String read(Path file) throws FaultyConfigException {
            String text = YamlSource.read(file);
            files.put(file, text);
            return text;
        }

        @Override
        public List<Path> matching(Path pattern) throws IOException {
            List<Path> matching = Includes.matching(pattern);
            patterns.put(pattern, matching);
            return matching;
        }

        @Override
        public boolean has(Path file) {
            return Files.exists(file);
        }

        /**
         * Returns all texts that were read.
         *
         * @param main the configuration file
         */
        ConfigTexts kept(Path main) {
            return new ConfigTexts(main, files, patterns);
        }
    }

    /** Reads the texts of a copy. */
    record Kept(ConfigTexts texts) implements Texts {
        @Override
        public String read(Path file) throws FaultyConfigException {
            String text = texts.files().get(ConfigTexts.whole(file));
            if (text == null) {
                throw Faults.only(file.toString(), Position.WHOLE_FILE, "not part of the copy", "a file that was kept");
            }
            return text;
        }

        @Override
        public List<Path> matching(Path pattern) throws IOException {
            List<Path> matching = texts.patterns().get(ConfigTexts.whole(pattern));
            if (matching == null) {
                throw new NoSuchFileException(pattern.toString());
            }
            return matching;
        }

        @Override
        public boolean has(Path file) {
            return texts.files().containsKey(ConfigTexts.whole(file));
        }
    }
}
