package dev.lychgate.server.reload;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of the last accepted filters on disk. */
class LastGoodTest {
    @TempDir
    Path home = Path.of("");

    private static FilterSources sources(String a, String b) {
        return FilterSources.of(List.of(new FilterSource("inbound/a.groovy", a), new FilterSource("lib/B.groovy", b)));
    }

    private Path file(FilterSources of, String path) {
        return home.resolve(of.fingerprint()).resolve(path);
    }

    private static Object inode(Path file) throws Exception {
        return Files.getAttribute(file, "unix:ino");
    }

    @Test
    void aCopyLinksTheFilesThatHaveNotChanged() throws Exception {
        LastGood lastGood = new LastGood(home);
        FilterSources first = sources("filter { }", "class B { }");
        lastGood.save(first);
        Object unchanged = inode(file(first, "lib/B.groovy"));
        Object changed = inode(file(first, "inbound/a.groovy"));

        FilterSources second = sources("filter { it.request }", "class B { }");
        lastGood.save(second);
        assertThat(inode(file(second, "lib/B.groovy"))).isEqualTo(unchanged);
        assertThat(inode(file(second, "inbound/a.groovy"))).isNotEqualTo(changed);
        assertThat(Files.exists(home.resolve(first.fingerprint()))).isFalse();
        assertThat(requireNonNull(new LastGood(home).read()).isSameAs(second)).isTrue();
    }

    @Test
    void completingAnIncompleteCopyLeavesTheFilesOfTheCurrentCopy() throws Exception {
        FilterSources first = sources("filter { }", "class B { }");
        new LastGood(home).save(first);
        FilterSources second = sources("filter { it.request }", "class B { }");
        Files.createDirectories(file(second, "lib"));
        Files.createLink(file(second, "lib/B.groovy"), file(first, "lib/B.groovy"));
        Path kept = home.resolve("kept");
        Files.createLink(kept, file(first, "lib/B.groovy"));
        try {
            new LastGood(home).save(second);
            assertThat(inode(file(second, "lib/B.groovy"))).isNotEqualTo(inode(kept));
            assertThat(Files.readString(kept)).isEqualTo("class B { }");
        } finally {
            Files.delete(kept);
        }
    }

    @Test
    void aDeletedPreviousCopyIsWrittenAgain() throws Exception {
        LastGood lastGood = new LastGood(home);
        FilterSources first = sources("filter { }", "class B { }");
        lastGood.save(first);
        Files.delete(file(first, "lib/B.groovy"));
        FilterSources second = sources("filter { it.request }", "class B { }");
        lastGood.save(second);
        assertThat(requireNonNull(new LastGood(home).read()).isSameAs(second)).isTrue();
    }
}
