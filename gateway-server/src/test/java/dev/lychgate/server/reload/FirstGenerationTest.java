package dev.lychgate.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.Lychgate;
import dev.lychgate.filters.groovy.FilterSource;
import dev.lychgate.filters.groovy.FilterSources;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.server.filters.FilterAssembly;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first generation of a gateway, and the state after a failed start. */
@Tag("slow")
class FirstGenerationTest {
    private final GroovyFilters groovy = new GroovyFilters();
    private final Deque<Throwable> failures = new ArrayDeque<>();

    @TempDir
    Path home = Path.of("");

    private Path config = Path.of("");

    @BeforeEach
    void files() throws Exception {
        config = Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                """);
        Path outbound = Files.createDirectories(home.resolve("filters/outbound"));
        Files.writeString(outbound.resolve("new.groovy"), "filter { }\n");
    }

    private void keepGood() {
        LastGood.beside(config)
                .save(FilterSources.of(List.of(new FilterSource("outbound/good.groovy", "filter { }\n"))));
    }

    private FirstGeneration<Lychgate> start() throws Exception {
        GenerationBuilder builder = new GenerationBuilder(config, name -> null, groovy);
        return FirstGeneration.start(builder, LastGood.beside(config), files -> null, this::start);
    }

    private Lychgate start(FilterAssembly assembly) {
        Throwable failure = failures.poll();
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
        return Lychgate.start(assembly);
    }

    private int alive() throws InterruptedException {
        for (int i = 0; i < 1500 && groovy.alive().count() > 0; i++) {
            System.gc();
            Thread.sleep(20);
        }
        return groovy.alive().count();
    }

    @Test
    void theLastGoodFiltersServeAfterAnUnexpectedFailure() throws Exception {
        keepGood();
        failures.add(new IllegalStateException("a fault of ours"));
        FirstGeneration<Lychgate> first = start();
        try {
            assertThat(Objects.requireNonNull(first.built().files().filters()).files())
                    .extracting(FilterSource::path)
                    .containsExactly("outbound/good.groovy");
            assertThat(Objects.requireNonNull(first.instead()).faults())
                    .containsExactly(config + ": unexpected failure: java.lang.IllegalStateException: a fault of ours");
        } finally {
            first.close();
        }
    }

    @Test
    void aMissingDirectoryIsRefusedAtItsPlace() throws Exception {
        Files.writeString(config, """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters:
                  directory: none
                """);

        assertThatThrownBy(this::start)
                .isInstanceOf(RefusedException.class)
                .hasMessage(config + ":3:14: filters.directory: " + home.resolve("none")
                        + " (expected: a directory that exists)");
    }

    @Test
    void withoutLastGoodFiltersAnUnexpectedFailureIsARefusal() throws Exception {
        IllegalStateException failure = new IllegalStateException("a fault of ours");
        failures.add(failure);
        assertThatThrownBy(this::start).isInstanceOf(RefusedException.class).hasCause(failure);
        assertThat(alive()).isZero();
    }

    @Test
    void theFirstFailureIsReportedIfTheLastGoodFiltersFailToo() throws Exception {
        keepGood();
        failures.add(new IllegalStateException("first"));
        failures.add(new IllegalStateException("second"));
        assertThatThrownBy(this::start).isInstanceOf(RefusedException.class).hasMessageContaining("first");
        assertThat(alive()).isZero();
    }

    @Test
    void theLastGoodFiltersAreNotUsedForFaultsOfTheMachine() throws Exception {
        keepGood();
        StartFailure failure = new StartFailure("no such address");
        failures.add(failure);
        assertThatThrownBy(this::start).isSameAs(failure);
        assertThat(alive()).isZero();
    }

    @Test
    void everyFailureReleasesTheBuiltFilters() throws Exception {
        OutOfMemoryError failure = new OutOfMemoryError("a test");
        failures.add(failure);
        assertThatThrownBy(this::start).isSameAs(failure);
        assertThat(alive()).isZero();
    }
}
