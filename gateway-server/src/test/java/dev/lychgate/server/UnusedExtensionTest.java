package dev.lychgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.extensions.ExtensionJars;
import dev.lychgate.server.extensions.InstalledExtensions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cost of an installed extension, in a separate process. */
@Tag("slow")
@Tag("each-jdk")
class UnusedExtensionTest {
    @TempDir
    Path home = Path.of("");

    /** Returns the loaded classes of the extension and of the package that opens extensions. */
    private List<String> loaded(String extensions) throws Exception {
        Path directory = Files.createDirectories(home.resolve("extensions"));
        ExtensionJars.sample("sample").write(directory.resolve("sample.jar"));
        Path config = Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                routes: [{ id: all, respond: { status: 204 } }]
                """ + extensions);
        Path classes = home.resolve("classes");
        String options = "export JDK_JAVA_OPTIONS='-Xlog:class+load:file=" + classes + " -D"
                + InstalledExtensions.DIRECTORY + "=" + directory + "'; ";
        try (ChildGateway gateway = ChildGateway.launch(config, options)) {
            gateway.awaitLine("ready after");
            assertThat(gateway.client().get("/").status()).isEqualTo(204);
        }
        return Files.readAllLines(classes).stream()
                .filter(line -> line.contains(" sample.") || line.contains(" dev.lychgate.server.extensions."))
                .toList();
    }

    @Test
    void loadsNoClass() throws Exception {
        assertThat(loaded("")).isEmpty();
    }

    @Test
    void loadsClassesWhenItIsUsed() throws Exception {
        assertThat(loaded("extensions: { sample: {} }\n"))
                .anyMatch(line -> line.contains(" sample.Sample "))
                .anyMatch(line -> line.contains(" dev.lychgate.server.extensions.OpenExtension "));
    }
}
