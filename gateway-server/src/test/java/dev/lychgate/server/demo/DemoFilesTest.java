package dev.lychgate.server.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.server.engine.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoFilesTest {
    @TempDir
    Path home = Path.of("");

    @Test
    void writesConfigurationAndFiltersToADirectoryThatItCreates() throws Exception {
        Path directory = home.resolve("a/b");

        try (DemoFiles files = DemoFiles.write(directory, Map.of("DEMO_PORT", "7001"))) {
            assertThat(files.isTemporary()).isFalse();
            assertThat(files.config()).isEqualTo(directory.resolve("demo.yml"));
        }

        assertThat(contents(directory))
                .containsExactly(
                        "demo.yml",
                        "filters/error/Unavailable.groovy",
                        "filters/inbound/Canary.groovy",
                        "filters/inbound/Customer.groovy",
                        "filters/outbound/Headers.groovy");
        assertThat(directory.resolve("demo.yml"))
                .content()
                .as("a port of the demo and an absent one")
                .contains("${DEMO_PORT:7001}", "${DEMO_ADMIN_PORT:8081}");
    }

    @Test
    void neverOverwritesAFile() throws Exception {
        Path filter = home.resolve("filters/outbound/Headers.groovy");
        Files.createDirectories(filter.getParent());
        Files.writeString(filter, "filter { }\n");

        DemoFiles.write(home, Map.of()).close();

        assertThat(filter).hasContent("filter { }");
        assertThat(home.resolve("demo.yml")).exists();
    }

    @Test
    void writesNothingBesideAnExistingConfiguration() throws Exception {
        Files.writeString(home.resolve("demo.yml"), "# mine\n");

        DemoFiles.write(home, Map.of()).close();

        assertThat(contents(home)).as("a filter that was deleted stays deleted").containsExactly("demo.yml");
        assertThat(home.resolve("demo.yml")).hasContent("# mine");
    }

    @Test
    void removesATemporaryDirectoryWithEverythingInIt() throws Exception {
        DemoFiles files = DemoFiles.write(null, Map.of());
        Path directory = files.config().resolveSibling("");
        assertThat(files.isTemporary()).isTrue();
        assertThat(directory).isDirectory();
        Files.createDirectories(directory.resolve(".lychgate/last-good"));

        files.close();
        files.close();

        assertThat(directory).doesNotExist();
    }

    @Test
    void refusesADirectoryThatCannotBeWritten() throws Exception {
        Path file = Files.writeString(home.resolve("file"), "");

        assertThatThrownBy(() -> DemoFiles.write(file, Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessage("can't write the demo's files to " + file + ": " + file + " is not a directory");
        assertThatThrownBy(() -> DemoFiles.write(file.resolve("below"), Map.of()))
                .isInstanceOf(StartException.class)
                .hasMessageStartingWith("can't write the demo's files to " + file + "/below: " + file);
        assertThat(file).isEmptyFile();
    }

    private static List<String> contents(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> directory.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
