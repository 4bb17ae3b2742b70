package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of the filter directory that are reported as ignored, with the reason. */
@Tag("slow")
class IgnoredFilesTest {
    private final Path root;

    IgnoredFilesTest(@TempDir Path root) {
        this.root = root;
    }

    @BeforeEach
    void aFilter() throws Exception {
        write("inbound/a.groovy");
    }

    private void write(String path) throws Exception {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "filter { null }");
    }

    private List<IgnoredFile> ignored() throws Exception {
        return new FilterDirectory(root).read().ignored();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "inbound/redis.jar | in lib/",
                "lib/redis.zip | in lib/",
                "inbound/TokenTest.java | config/templates/java-filters",
                "inbound/Token.kt | config/templates/kotlin-filters",
                "inbound/deep/Token.KT | config/templates/kotlin-filters",
                "lib/Token.class | end in .groovy",
                "inbound/token.groovy.txt | does not end in .groovy",
                "inbound/token.Groovy | does not end in .groovy",
                "inbound/token.grovy | does not end in .groovy",
                "inbound/auth | does not end in .groovy",
                "error/deep/4xx | does not end in .groovy",
                "token.txt | in none of the directories inbound, pre, ",
                "Token.java | in the directories of the phases",
                "build.gradle | in none of the directories inbound, pre, ",
            })
    void aFileThatLooksLikeCodeIsReportedWithTheReason(String path, String reason) throws Exception {
        write(path);
        assertThat(ignored()).singleElement().satisfies(file -> {
            assertThat(file.file()).isEqualTo(path);
            assertThat(file.reason()).contains(reason);
            assertThat(file.toString()).startsWith(path + " is ignored: ");
        });
    }

    @Test
    void aDirectoryWithTheNameOfAFilterIsReportedAndTheFilesInItAreUsed() throws Exception {
        write("inbound/b.groovy/c.groovy");
        assertThat(ignored())
                .extracting(IgnoredFile::toString)
                .containsExactly("inbound/b.groovy is ignored: it is a directory");
        assertThat(new FilterDirectory(root).read().files())
                .extracting(FilterSource::path)
                .containsExactly("inbound/a.groovy", "inbound/b.groovy/c.groovy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inbound/b.groovy",
                "inbound/aTest.groovy",
                "inbound/a.groovy~",
                "inbound/#a.groovy#",
                "inbound/.a.groovy.swp",
                "inbound/4913",
                "inbound/a.groovy.bak",
                "inbound/a.groovy.disabled",
                "inbound/countries.json",
                "lib/README.md",
                "lib/README",
                "inbound/LICENSE",
                "README.md",
                ".git/config.java"
            })
    void filtersTestsDataAndFilesOfEditorsAreNotReported(String path) throws Exception {
        write(path);
        assertThat(ignored()).isEmpty();
    }

    @Test
    void theyDoNotChangeTheFingerprint() throws Exception {
        String before = new FilterDirectory(root).read().fingerprint();
        write("inbound/redis.jar");
        assertThat(new FilterDirectory(root).read().fingerprint()).isEqualTo(before);
    }

    @Test
    void anAddedIgnoredFileIsAChange() throws Exception {
        write("inbound/old.jar");
        DirectoryStamp stamp = new FilterDirectory(root).stamp();
        FilterSources before = new FilterDirectory(root).read();
        write("inbound/new.jar");
        FilterSources after = new FilterDirectory(root).read();
        assertThat(new FilterDirectory(root).stamp()).isNotEqualTo(stamp);
        assertThat(after.isSameAs(before)).isFalse();
        assertThat(after.ignored()).extracting(IgnoredFile::file).containsExactly("inbound/new.jar", "inbound/old.jar");
    }
}
