package dev.lychgate.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.yaml.LoadedConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What is done when files have changed, without a gateway, and without anybody who watches files. */
class ReloaderTest {
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Reloader.class);
    private final GroovyFilters groovy = new GroovyFilters();

    @TempDir
    Path home = Path.of("");

    private Path outbound = Path.of("");
    private @Nullable Generation running;
    private @Nullable RuntimeException failure;

    @BeforeEach
    void files() throws Exception {
        Files.writeString(home.resolve("gateway.yml"), """
                listeners: [{ name: main, address: "127.0.0.1:0" }]
                filters: { directory: filters }
                routes: [{ id: all, match: { path: "/**" }, upstream: origin }]
                upstreams: { origin: { endpoints: ["http://127.0.0.1:9"] } }
                """);
        outbound = Files.createDirectories(home.resolve("filters/outbound"));
        permit("rwxr-xr-x");
        filter(1);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void detach() {
        logger.detachAppender(lines);
    }

    private void filter(int stamp) throws Exception {
        Files.writeString(
                outbound.resolve("stamp.groovy"), "filter { it.response.headers['x-stamp'] = '" + stamp + "' }\n");
    }

    private void permit(String permissions) throws Exception {
        Files.setPosixFilePermissions(outbound, PosixFilePermissions.fromString(permissions));
    }

    private Generation apply(FilterAssembly next) {
        if (failure != null) {
            throw failure;
        }
        running = running == null
                ? Generation.first(next.config(), next.filters(), 1)
                : running.next(next.config(), next.filters(), 1);
        return running;
    }

    private Reloader started() throws Exception {
        Path config = home.resolve("gateway.yml");
        GenerationBuilder builder = new GenerationBuilder(config, name -> null, groovy);
        Reloader reloader = new Reloader(builder, this::apply, LastGood.beside(config), groovy.alive());
        LoadedConfig loaded = builder.read();
        BuiltGeneration first = builder.build(loaded, GenerationBuilder.sources(loaded.config()));
        reloader.started(first, apply(first.assembly()), null);
        return reloader;
    }

    private List<String> warnings() {
        return lines.list.stream()
                .filter(line -> line.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Waits until no more than {@code most} are left, with the collector's help. */
    private int alive(int most) throws InterruptedException {
        for (int i = 0; i < 50 && groovy.alive().count() > most; i++) {
            System.gc();
            Thread.sleep(20);
        }
        return groovy.alive().count();
    }

    @Test
    void whatIsUnwiseAboutTheDirectoryIsSaidAtTheStart() throws Exception {
        permit("rwxrwxrwx");
        started();
        assertThat(warnings())
                .singleElement()
                .satisfies(line -> assertThat(line).contains("outbound may be written by anybody"));
    }

    @Test
    void whatIsUnwiseAboutTheDirectoryIsSaidOnceForEveryChange() throws Exception {
        Reloader reloader = started();
        assertThat(warnings()).isEmpty();
        permit("rwxrwxrwx");
        reloader.reload("test");
        assertThat(warnings()).hasSize(1);
        reloader.reload("test");
        assertThat(warnings()).as("nothing has changed").hasSize(1);
        filter(2);
        reloader.reload("test");
        assertThat(warnings()).hasSize(2);
        permit("rwxr-xr-x");
        reloader.reload("test");
        assertThat(warnings()).hasSize(2);
    }

    @Test
    void whatIsUnwiseAboutRefusedFilesIsNotSaid() throws Exception {
        Reloader reloader = started();
        permit("rwxrwxrwx");
        Files.writeString(outbound.resolve("stamp.groovy"), "filter { nonsense");
        assertThat(reloader.reload("test")).isNull();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void whatCouldNotTakeOverIsLetGoOfWhateverTheFailure() throws Exception {
        Reloader reloader = started();
        failure = new IllegalStateException("a fault of ours");
        for (int i = 2; i < 7; i++) {
            filter(i);
            assertThatThrownBy(() -> reloader.reload("test")).isSameAs(failure);
        }
        assertThat(alive(1)).isEqualTo(1);
        assertThat(reloader.kept()).hasSize(1);
    }

    @Test
    void theAgeOfAGenerationIsTheSameWhereverItIsAskedFor() throws Exception {
        Reloader reloader = started();
        filter(2);
        Generation second = reloader.reload("test");
        assertThat(second).isNotNull();
        assertThat(reloader.kept().get(0).since()).isEqualTo(second.since());
    }

    @Test
    void theDirectoryIsThatOfTheGenerationThatRuns() throws Exception {
        Reloader reloader = started();
        assertThat(reloader.directory()).endsWith("filters");
        Path config = home.resolve("gateway.yml");
        Files.writeString(config, Files.readString(config).replace("filters: { directory: filters }\n", ""));
        reloader.reload("test");
        assertThat(reloader.directory()).isNull();
        reloader.rollback(1);
        assertThat(reloader.directory()).endsWith("filters");
    }
}
