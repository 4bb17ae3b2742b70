package dev.lychgate.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.chain.FilterSet;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.state.LiveProperties;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.LoadedConfig;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Generations that a rollback can restore, and the release of their objects. */
class HistoryTest {
    private final History history = new History();
    private final List<String> closed = new ArrayList<>();
    private final LoadedConfig config;

    HistoryTest() throws Exception {
        config = new ConfigReader(name -> null)
                .read("gateway.yml", "listeners: [{ name: main, address: \"127.0.0.1:0\" }]\n");
    }

    /**
     * @param text of the only file
     * @param name is recorded at the close
     */
    private BuiltGeneration built(String text, String name) {
        FilesRead files = FilesRead.of(config, FilterSources.of(List.of(new FilterSource("inbound/a.groovy", text))));
        return new BuiltGeneration(
                new FilterAssembly(config.config(), FilterSet.EMPTY),
                files,
                new LiveProperties(Map.of()),
                () -> {},
                () -> closed.add(name));
    }

    private void add(long number, BuiltGeneration built) {
        history.add(new History.Taken(number, Instant.EPOCH, built, "test"));
    }

    private List<Long> numbers() {
        return history.kept().stream().map(Generations.Kept::number).toList();
    }

    @Test
    void theNewestFewAreKept() {
        for (int i = 1; i <= History.KEPT + 2; i++) {
            add(i, built("text " + i, "built " + i));
        }
        assertThat(numbers()).containsExactly(7L, 6L, 5L, 4L, 3L);
        assertThat(closed).containsExactly("built 1", "built 2");
    }

    @Test
    void aRestoredGenerationMovesToTheFrontAndIsNotClosed() {
        BuiltGeneration first = built("text 1", "built 1");
        add(1, first);
        add(2, built("text 2", "built 2"));
        add(3, first);
        assertThat(numbers()).containsExactly(3L, 2L);
        assertThat(history.find(1)).isNull();
        assertThat(closed).isEmpty();
        add(4, first);
        assertThat(numbers()).containsExactly(4L, 2L);
        assertThat(closed).isEmpty();
    }

    @Test
    void aGenerationOfTheSameFilesReplacesTheEarlierOneWhichIsClosed() {
        add(1, built("text 1", "built 1"));
        add(2, built("text 2", "built 2"));
        add(3, built("text 1", "built 3"));
        assertThat(numbers()).containsExactly(3L, 2L);
        assertThat(closed).containsExactly("built 1");
    }

    @Test
    void theEndClosesEachOnce() {
        BuiltGeneration first = built("text 1", "built 1");
        add(1, first);
        add(2, built("text 2", "built 2"));
        add(3, first);
        history.close();
        history.close();
        assertThat(closed).containsExactlyInAnyOrder("built 1", "built 2");
        assertThat(history.running()).isNull();
    }
}
