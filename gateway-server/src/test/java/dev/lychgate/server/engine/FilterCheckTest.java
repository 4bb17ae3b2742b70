package dev.lychgate.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of a check of a filter directory. */
class FilterCheckTest {
    @TempDir
    Path home = Path.of("");

    private List<String> check() throws Exception {
        Path file = Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                """);
        return new DataPlaneEngine().check(file, name -> null, times -> {});
    }

    @Test
    void warnsOfAWorldWritableDirectory() throws Exception {
        Path inbound = Files.createDirectories(home.resolve("filters/inbound"));
        Files.setPosixFilePermissions(inbound, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(check()).isEmpty();
        Files.setPosixFilePermissions(inbound, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(check()).singleElement().asString().contains("inbound is writable by every user");
    }
}
