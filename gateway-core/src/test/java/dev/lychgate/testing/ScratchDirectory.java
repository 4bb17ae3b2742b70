package dev.lychgate.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory that is deleted with its contents when it is closed. */
public record ScratchDirectory(Path path) implements AutoCloseable {
    public static ScratchDirectory create() throws IOException {
        return new ScratchDirectory(Files.createTempDirectory("lychgate-test"));
    }

    @Override
    public void close() throws IOException {
        List<Path> contents;
        try (Stream<Path> files = Files.walk(path)) {
            contents = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : contents) {
            Files.delete(each);
        }
    }
}
