package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that are read from a filter directory, and refused directories. */
@Tag("slow")
class FilterDirectoryTest {
    private final Path root;

    FilterDirectoryTest(@TempDir Path root) {
        this.root = root;
    }

    private Path write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private List<String> paths() throws Exception {
        return new FilterDirectory(root)
                .read().files().stream().map(FilterSource::path).toList();
    }

    private String refusal() throws Exception {
        try {
            new FilterDirectory(root).read();
        } catch (FilterFaultsException e) {
            return e.getMessage() == null ? "" : e.getMessage();
        }
        throw new AssertionError("was not refused");
    }

    @Test
    void readsFilesInTheOrderOfTheirPaths() throws Exception {
        write("outbound/b.groovy", "b");
        write("inbound/deep/a.groovy", "a");
        write("lib/C.groovy", "c");
        assertThat(paths()).containsExactly("inbound/deep/a.groovy", "lib/C.groovy", "outbound/b.groovy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".a.groovy",
                "a.groovy~",
                ".a.groovy.swp",
                "#a.groovy#",
                "4913",
                "README.md",
                "AuthTest.groovy",
                ".hidden/a.groovy",
                "..2026_11_01/a.groovy",
                "a.groovy.tmp"
            })
    void ignoresHiddenAndOtherFiles(String name) throws Exception {
        write("inbound/" + name, "nothing to compile");
        assertThat(paths()).isEmpty();
    }

    @Test
    void readsAConfigMapThroughItsLinks() throws Exception {
        write("inbound/..2026_11_01/a.groovy", "one");
        Path in = root.resolve("inbound");
        Files.createSymbolicLink(in.resolve("..data"), Path.of("..2026_11_01"));
        Files.createSymbolicLink(in.resolve("a.groovy"), Path.of("..data/a.groovy"));
        assertThat(paths()).containsExactly("inbound/a.groovy");
    }

    @Test
    void readsAConfigMapWhoseDirectoriesAreLinks() throws Exception {
        write("..2026_11_01/inbound/a.groovy", "one");
        Files.createSymbolicLink(root.resolve("..data"), Path.of("..2026_11_01"));
        Files.createSymbolicLink(root.resolve("inbound"), Path.of("..data/inbound"));
        assertThat(paths()).containsExactly("inbound/a.groovy");
    }

    @Test
    void refusesALinkToATargetOutside(@TempDir Path elsewhere) throws Exception {
        Path secret = Files.writeString(elsewhere.resolve("secret.groovy"), "x");
        Files.createDirectories(root.resolve("inbound"));
        Files.createSymbolicLink(root.resolve("inbound/a.groovy"), secret);
        assertThat(refusal()).isEqualTo("inbound/a.groovy: is a link to a target outside the filter directory");
        Files.delete(root.resolve("inbound/a.groovy"));
        Files.createSymbolicLink(root.resolve("inbound/deep"), elsewhere);
        assertThat(refusal()).startsWith("inbound/deep: is a link to a target outside");
    }

    @ParameterizedTest
    @ValueSource(strings = {"outbound", "pre", "lib", "a.groovy", "inbound/deep", "inbound/a.groovy", "README"})
    void refusesALinkToAMissingFile(String path) throws Exception {
        Files.createDirectories(root.resolve("inbound"));
        Files.createSymbolicLink(root.resolve(path), Path.of("nothing"));
        assertThat(refusal()).isEqualTo(path + ": is a link to a missing file");
    }

    @Test
    void refusesAConfigMapWithRemovedDirectories() throws Exception {
        write("..v3/outbound/a.groovy", "one");
        write("inbound/b.groovy", "two");
        Files.createSymbolicLink(root.resolve("..data"), Path.of("..v3"));
        Files.createSymbolicLink(root.resolve("outbound"), Path.of("..data/outbound"));
        assertThat(paths()).hasSize(2);
        Files.move(root.resolve("..v3"), root.resolve("..gone"));
        assertThat(refusal()).isEqualTo("outbound: is a link to a missing file");
    }

    @Test
    void ignoresHiddenLinksOfEditorsToMissingFiles() throws Exception {
        write("inbound/a.groovy", "x");
        Files.createSymbolicLink(root.resolve("inbound/.#a.groovy"), Path.of("ann@host.4711"));
        assertThat(paths()).containsExactly("inbound/a.groovy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"inbound", "outbound", "post", "lib"})
    void refusesAPhaseThatIsNotADirectory(String name) throws Exception {
        write(name, "a file");
        assertThat(refusal()).isEqualTo(name + ": is not a directory");
    }

    @Test
    void refusesALinkToItself() throws Exception {
        Files.createSymbolicLink(root.resolve("outbound"), Path.of("outbound"));
        assertThat(refusal()).startsWith("outbound: can't be read: ");
    }

    @Test
    void refusesAnUnreadableDirectory() throws Exception {
        assumeThat(System.getProperty("user.name"))
                .as("root may read everything")
                .isNotEqualTo("root");
        write("..v3/outbound/a.groovy", "one");
        Files.createSymbolicLink(root.resolve("outbound"), Path.of("..v3/outbound"));
        Files.setPosixFilePermissions(root.resolve("..v3"), PosixFilePermissions.fromString("rw-------"));
        assertThat(refusal()).isEqualTo("outbound: can't be read: permission denied");
        Files.setPosixFilePermissions(root.resolve("..v3"), PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void refusesCircularLinks() throws Exception {
        Files.createSymbolicLink(root.resolve("again"), Path.of("."));
        assertThat(refusal()).contains("check for circular links");
    }

    @Test
    void refusesAFileThatIsTooLong() throws Exception {
        write("inbound/a.groovy", "/".repeat(FilterDirectory.LONGEST_FILE));
        assertThat(paths()).hasSize(1);
        write("inbound/a.groovy", "/".repeat(FilterDirectory.LONGEST_FILE + 1));
        assertThat(refusal()).isEqualTo("inbound/a.groovy: is longer than 1 MiB");
    }

    @Test
    void refusesMoreThanSixteenMebibytes() throws Exception {
        for (int i = 0; i < 17; i++) {
            write("inbound/a" + i + ".groovy", "/".repeat(FilterDirectory.LONGEST_FILE));
        }
        assertThat(refusal()).contains("exceed a total of 16 MiB");
    }

    @Test
    void refusesMoreThanAThousandFiles() throws Exception {
        for (int i = 0; i <= DirectoryWalk.MOST_FILES; i++) {
            write("inbound/a" + i + ".groovy", "");
        }
        assertThat(refusal()).endsWith("more than 1000 files");
    }

    @Test
    void refusesFilesThatAreNotText() throws Exception {
        Files.write(root.resolve("a.groovy"), new byte[] {'a', 0, 'b'});
        Files.write(root.resolve("b.groovy"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThat(refusal()).isEqualTo("a.groovy: is not UTF-8 text\nb.groovy: is not UTF-8 text");
    }

    @Test
    void readsTextWithAByteOrderMark() throws Exception {
        Files.write(root.resolve("a.groovy"), "\ufeffx".getBytes(StandardCharsets.UTF_8));
        assertThat(new FilterDirectory(root).read().files().get(0).text()).isEqualTo("x");
    }

    @Test
    void treatsADirectoryAsADirectoryWhateverItsName() throws Exception {
        Files.createDirectories(root.resolve("inbound/a.groovy"));
        assertThat(paths()).isEmpty();
    }

    @Test
    void refusesAnUnreadableFile() throws Exception {
        assumeThat(System.getProperty("user.name"))
                .as("root may read everything")
                .isNotEqualTo("root");
        Path file = write("inbound/a.groovy", "x");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("-wx------"));
        assertThat(refusal()).isEqualTo("inbound/a.groovy: can't be read: permission denied");
    }

    @Test
    void refusesAMissingDirectory() throws Exception {
        Files.delete(root);
        assertThat(refusal()).endsWith("does not exist");
        Files.createDirectories(root);
    }

    @Test
    void warnsOfAWorldWritableDirectory() throws Exception {
        write("inbound/a.groovy", "x");
        assertThat(new FilterDirectory(root).read().warnings()).isEmpty();
        Files.setPosixFilePermissions(root.resolve("inbound"), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(new FilterDirectory(root).read().warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning).contains("is writable by every user"));
    }

    @Test
    void hasTheSameFingerprintOnlyForTheSameFiles() throws Exception {
        write("inbound/a.groovy", "x");
        String before = new FilterDirectory(root).read().fingerprint();
        write("inbound/README", "not read");
        write("inbound/a.groovy", "x");
        assertThat(new FilterDirectory(root).read().fingerprint()).isEqualTo(before);
        write("inbound/a.groovy", "y");
        assertThat(new FilterDirectory(root).read().fingerprint()).isNotEqualTo(before);
        Files.move(root.resolve("inbound/a.groovy"), root.resolve("inbound/b.groovy"));
        write("inbound/b.groovy", "x");
        assertThat(new FilterDirectory(root).read().fingerprint()).isNotEqualTo(before);
    }
}
