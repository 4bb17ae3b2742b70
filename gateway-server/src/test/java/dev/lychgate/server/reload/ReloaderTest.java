package dev.lychgate.server.reload;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.chain.FilterSlot.Ejection;
import dev.lychgate.config.ConfigException;
import dev.lychgate.filters.groovy.GroovyFilters;
import dev.lychgate.filters.groovy.IgnoredFile;
import dev.lychgate.generation.Generation;
import dev.lychgate.server.admin.Generations;
import dev.lychgate.server.admin.Generations.Outcome;
import dev.lychgate.server.filters.FilterAssembly;
import dev.lychgate.server.yaml.ConfigReader;
import dev.lychgate.server.yaml.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Effects of changed files, without a gateway and without a file watcher. */
@Tag("slow")
class ReloaderTest {
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Reloader.class);
    private final GroovyFilters groovy = new GroovyFilters();

    @TempDir
    Path home = Path.of("");

    private Path outbound = Path.of("");
    private @Nullable Generation running;
    private @Nullable RuntimeException failure;
    private @Nullable Error error;
    private Environment environment = name -> null;

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
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void detach() {
        logger.detachAppender(lines);
        logger.setLevel(null);
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
        if (error != null) {
            throw error;
        }
        running = running == null
                ? Generation.first(next.config(), next.filters(), 1)
                : running.next(next.config(), next.filters(), 1);
        return running;
    }

    private Reloader started() throws Exception {
        Path config = home.resolve("gateway.yml");
        GenerationBuilder builder = new GenerationBuilder(config, environment, groovy);
        Reloader reloader = new Reloader(
                builder, this::apply, LastGood.beside(config), groovy.alive(), Rollouts.none(), ChangeNotes.none());
        BuiltGeneration first = builder.build(builder.readRest(builder.read()));
        reloader.started(first, apply(first.assembly()), null);
        return reloader;
    }

    private List<String> warnings() {
        return lines.list.stream()
                .filter(line -> line.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Waits until no more than {@code most} are left, and triggers collections. */
    private int alive(int most) throws InterruptedException {
        for (int i = 0; i < 1500 && groovy.alive().count() > most; i++) {
            System.gc();
            Thread.sleep(20);
        }
        return groovy.alive().count();
    }

    @Test
    void warningsAboutTheDirectoryAreLoggedAtTheStart() throws Exception {
        permit("rwxrwxrwx");
        started();
        assertThat(warnings())
                .singleElement()
                .satisfies(line -> assertThat(line).contains("outbound is writable by every user"));
    }

    @Test
    void warningsAboutTheDirectoryAreLoggedOncePerChange() throws Exception {
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
    void warningsAboutRefusedFilesAreNotLogged() throws Exception {
        Reloader reloader = started();
        permit("rwxrwxrwx");
        Files.writeString(outbound.resolve("stamp.groovy"), "filter { nonsense");
        assertThat(reloader.reload("test")).isInstanceOf(Outcome.Refused.class);
        assertThat(warnings()).isEmpty();
    }

    @Test
    void aGenerationThatFailsAtTheSwapIsReleased() throws Exception {
        Reloader reloader = started();
        failure = new IllegalStateException("a fault of ours");
        for (int i = 2; i < 7; i++) {
            filter(i);
            assertThat(reloader.reload("test")).isInstanceOf(Outcome.Refused.class);
        }
        assertThat(alive(1)).isEqualTo(1);
        assertThat(reloader.kept()).hasSize(1);
    }

    @Test
    void objectsOfAGenerationAreClosedIfItsSwapLacksMemory() throws Exception {
        Reloader reloader = started();
        String key = getClass().getName();
        Files.writeString(
                outbound.resolve("stamp.groovy"),
                "onUnload { System.setProperty('" + key + "', 'closed') }\nfilter { }");
        error = new OutOfMemoryError("a test");
        try {
            assertThatThrownBy(() -> reloader.reload("test")).isSameAs(error);
            eventually(() -> assertThat(System.getProperty(key)).isEqualTo("closed"));
        } finally {
            System.clearProperty(key);
        }
    }

    @Test
    void theAgeOfAGenerationIsTheSameEverywhere() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.reload("test");
        assertThat(reloader.kept().get(0).since())
                .isEqualTo(Objects.requireNonNull(running).since());
    }

    @Test
    void theDirectoryIsThatOfTheLastReadConfigurationAlsoIfItWasRefused() throws Exception {
        Reloader reloader = started();
        assertThat(reloader.directory())
                .extracting(directory -> directory.root().toString(), STRING)
                .endsWith("filters");
        configure("filters: { directory: filters }", "filters: { directory: not-there-yet }");
        assertThat(reloader.reload("test")).isInstanceOf(Outcome.Refused.class);
        assertThat(reloader.directory())
                .extracting(directory -> directory.root().toString(), STRING)
                .endsWith("not-there-yet");
        configure("filters: { directory: not-there-yet }", "");
        reloader.reload("test");
        reloader.rollback(1);
        assertThat(reloader.directory())
                .as("the file determines the watched directory")
                .isNull();
        configure("routes", "nonsense");
        reloader.reload("test");
        assertThat(reloader.directory()).isNull();
    }

    private void configure(String before, String after) throws Exception {
        Path config = home.resolve("gateway.yml");
        Files.writeString(config, Files.readString(config).replace(before, after));
    }

    private static List<Long> numbers(Reloader reloader) {
        return reloader.kept().stream().map(Generations.Kept::number).toList();
    }

    @Test
    void unchangedFilesAreNoNewGeneration() throws Exception {
        Reloader reloader = started();
        reloader.follow("touched");
        assertThat(numbers(reloader)).containsExactly(1L);
        assertThat(reloader.taken()).isZero();
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("touched; nothing has changed, so generation 1 stays in force");
    }

    @Test
    void aRepairedFaultIsNoNewGenerationAndNoLongerRefused() throws Exception {
        Reloader reloader = started();
        Files.writeString(outbound.resolve("stamp.groovy"), "filter { nonsense");
        reloader.follow("broken");
        assertThat(reloader.refusal()).isNotNull();
        filter(1);
        reloader.follow("mended");
        assertThat(reloader.refusal()).isNull();
        assertThat(numbers(reloader)).containsExactly(1L);
    }

    private List<String> said(Level level) {
        return lines.list.stream()
                .filter(line -> line.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void aRefusalOfRecentlyWrittenFilesIsAnErrorOnlyAfterTheySettle() throws Exception {
        Reloader reloader = started();
        Files.writeString(outbound.resolve("stamp.groovy"), "filter { nonsense");
        reloader.follow("broken");
        assertThat(said(Level.ERROR)).isEmpty();
        assertThat(said(Level.INFO))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("the change is not applied yet, because the files may be incomplete:"
                                + " outbound/stamp.groovy:1:"));
        assertThat(reloader.refusal()).as("operators see it at once").isNotNull();
        assertThat(reloader.refused()).as("alerts don't").isZero();

        reloader.settled("another change");
        assertThat(said(Level.ERROR)).isEmpty();
        reloader.settled("broken");
        assertThat(said(Level.ERROR))
                .hasSize(2)
                .first()
                .satisfies(line -> assertThat(line).startsWith("refused: outbound/stamp.groovy:1:"));
        assertThat(reloader.refused()).isEqualTo(1);
        reloader.settled("broken");
        assertThat(said(Level.ERROR)).as("once").hasSize(2);
    }

    @Test
    void aFileThatIsCompleteAfterItsLastWriteIsNeverAnError() throws Exception {
        Reloader reloader = started();
        Files.writeString(outbound.resolve("stamp.groovy"), "filter { it.response.head");
        reloader.follow("half");
        filter(2);
        reloader.follow("whole");
        reloader.settled("half");
        reloader.settled("whole");
        assertThat(said(Level.ERROR)).isEmpty();
        assertThat(reloader.refused()).isZero();
        assertThat(numbers(reloader)).containsExactly(2L, 1L);
    }

    @Test
    void aRefusalOfARequestedReloadIsAnErrorAtOnce() throws Exception {
        Reloader reloader = started();
        Files.writeString(outbound.resolve("stamp.groovy"), "filter { nonsense");
        reloader.reload("asked for");
        assertThat(said(Level.ERROR)).hasSize(2);
        reloader.settled("asked for");
        assertThat(said(Level.ERROR)).hasSize(2);
    }

    @Test
    void eachIgnoredFileIsLoggedOnceWithTheReason() throws Exception {
        Files.writeString(home.resolve("filters/notes.txt"), "to do");
        Reloader reloader = started();
        assertThat(warnings())
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("filters: notes.txt is ignored: it is in none of the directories inbound, "));
        Files.writeString(outbound.resolve("Token.kt"), "class Token {}");
        reloader.follow("written");
        filter(2);
        reloader.follow("written");
        reloader.reload("asked for");
        assertThat(warnings())
                .hasSize(2)
                .last()
                .satisfies(line -> assertThat(line).startsWith("filters: outbound/Token.kt is ignored: "));
        assertThat(reloader.ignored()).extracting(IgnoredFile::file).containsExactly("notes.txt", "outbound/Token.kt");
    }

    @Test
    void aChangedFilterIsANewGeneration() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.follow("changed");
        assertThat(numbers(reloader)).containsExactly(2L, 1L);
    }

    @Test
    void aChangedValueOfTheEnvironmentIsANewGeneration() throws Exception {
        configure("127.0.0.1:9", "127.0.0.1:${PORT}");
        Map<String, String> variables = new HashMap<>(Map.of("PORT", "9"));
        environment = variables::get;
        Reloader reloader = started();
        reloader.follow("touched");
        assertThat(numbers(reloader)).containsExactly(1L);
        variables.put("PORT", "10");
        reloader.follow("touched");
        assertThat(numbers(reloader)).containsExactly(2L, 1L);
    }

    @Test
    void aReloadOfUnchangedFilesKeepsTheRunningGeneration() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.follow("changed");
        assertThat(reloader.reload("asked for")).isEqualTo(new Outcome.Taken(2));
        assertThat(numbers(reloader)).containsExactly(2L, 1L);
        assertThat(reloader.rollback(1)).isEqualTo(new Outcome.Taken(3));
    }

    @Test
    void aReloadOfUnchangedFilesRestoresAnEjectedFilter() throws Exception {
        Reloader reloader = started();
        Objects.requireNonNull(running)
                .filters()
                .placements()
                .forEach(one -> one.slot().eject(Ejection.NOT_ASKED));
        List<Class<?>> before = classesOfFilters();
        assertThat(reloader.reload("asked for")).isEqualTo(new Outcome.Taken(2));
        assertThat(classesOfFilters()).hasSameSizeAs(before).doesNotContainAnyElementsOf(before);
        assertThat(reloader.kept()).singleElement().satisfies(one -> {
            assertThat(one.number()).isEqualTo(2);
            assertThat(one.why()).isEqualTo("asked for; no file changed");
        });
        assertThat(reloader.taken()).isEqualTo(1);
    }

    private List<Class<?>> classesOfFilters() {
        return Objects.requireNonNull(running).filters().placements().stream()
                .<Class<?>>map(one -> one.slot().filter().definedIn())
                .toList();
    }

    @Test
    void aRollbackRemovesNoGeneration() throws Exception {
        Reloader reloader = started();
        for (int i = 2; i <= History.KEPT; i++) {
            filter(i);
            reloader.follow("test");
        }
        assertThat(numbers(reloader)).containsExactly(5L, 4L, 3L, 2L, 1L);
        assertThat(reloader.rollback(1)).isEqualTo(new Outcome.Taken(6));
        assertThat(numbers(reloader)).containsExactly(6L, 5L, 4L, 3L, 2L);
        assertThat(reloader.kept().get(0).why()).isEqualTo("rollback to 1");
        assertThat(reloader.kept().get(0).since())
                .isEqualTo(Objects.requireNonNull(running).since());
        assertThat(reloader.rollback(2)).isEqualTo(new Outcome.Taken(7));
        assertThat(numbers(reloader)).containsExactly(7L, 6L, 5L, 4L, 3L);
        assertThat(reloader.rollback(2)).isInstanceOf(Outcome.NotKept.class);
        filter(1);
        reloader.reload("as the first was");
        assertThat(numbers(reloader)).containsExactly(8L, 7L, 5L, 4L, 3L);
    }

    @Test
    void theLastGoodFiltersAreThoseOfTheRollback() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.follow("test");
        assertThat(lastGood()).contains("= '2'");
        reloader.rollback(1);
        assertThat(lastGood()).contains("= '1'");
    }

    @Test
    void theLastGoodFiltersAreThoseOfTheFilesAlsoWhereTheyRanAlready() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.follow("test");
        filter(1);
        reloader.follow("as the first was");
        assertThat(reloader.taken()).isEqualTo(2);
        assertThat(lastGood()).contains("= '1'");
    }

    private String lastGood() {
        return Objects.requireNonNull(
                        LastGood.beside(home.resolve("gateway.yml")).read())
                .files()
                .get(0)
                .text();
    }

    @Test
    void aRollbackStaysInForceUntilAReloadIsRequested() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.follow("test");
        reloader.rollback(1);
        assertThat(reloader.isPinned()).isTrue();
        filter(3);
        reloader.follow("the filter directory was written");
        configure("/**", "/other/**");
        reloader.follow("the configuration was written");
        assertThat(numbers(reloader)).containsExactly(3L, 2L);
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains("the configuration was written; not applied: generation 3 stays in force until a reload is"
                        + " requested, because an operator rolled back");

        assertThat(reloader.reload("asked for")).isEqualTo(new Outcome.Taken(4));
        assertThat(reloader.isPinned()).isFalse();
        filter(4);
        reloader.follow("the filter directory was written");
        assertThat(numbers(reloader)).containsExactly(5L, 4L, 3L, 2L);
    }

    @Test
    void aRefusedReloadDoesNotEndARollback() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.follow("test");
        reloader.rollback(1);
        Files.writeString(outbound.resolve("stamp.groovy"), "filter { nonsense");
        assertThat(reloader.reload("asked for")).isInstanceOf(Outcome.Refused.class);
        assertThat(reloader.isPinned()).isTrue();
    }

    @Test
    void aRenewedCertificateTakesEffectWithoutEndingARollback() throws Exception {
        Path token = Files.writeString(home.resolve("token"), "a-token-of-some-length\n");
        configure("routes:", "admin: { address: '127.0.0.1:0', token-file: '" + token + "' }\nroutes:");
        Reloader reloader = started();
        filter(2);
        reloader.follow("test");
        reloader.rollback(1);
        filter(3);
        Files.writeString(token, "another-token-of-some-length\n");
        reloader.follow("a certificate, key or address list was written");
        assertThat(numbers(reloader)).containsExactly(4L, 2L);
        assertThat(reloader.kept().get(0).why()).isEqualTo("a certificate, key or address list was written");
        assertThat(reloader.isPinned()).isTrue();
        reloader.follow("touched");
        assertThat(numbers(reloader)).containsExactly(4L, 2L);
        reloader.rollback(2);
        assertThat(reloader.rollback(4)).isEqualTo(new Outcome.Taken(6));
    }

    /** Like certbot: a certificate first, and then its key. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCertificateBeforeItsKeyIsNoErrorWithWatchOff(boolean pinned) throws Exception {
        Path token = Files.writeString(home.resolve("token"), "a-token-of-some-length\n");
        String admin = "admin: { address: '127.0.0.1:0', token-file: '" + token + "' }\nroutes:";
        configure("routes:", pinned ? admin : "watch: off\n" + admin);
        Reloader reloader = started();
        if (pinned) {
            filter(2);
            reloader.follow("test");
            reloader.rollback(1);
        }
        failure = new ConfigException("listeners[0].tls.key", "site.key", "the key of the certificate");
        Files.writeString(token, "another-token-of-some-length\n");
        reloader.follow("the certificate was written");
        assertThat(said(Level.ERROR)).isEmpty();
        assertThat(reloader.refusal()).as("operators see it at once").isNotNull();
        assertThat(reloader.refused()).as("alerts don't").isZero();

        failure = null;
        reloader.follow("its key was written");
        reloader.settled("the certificate was written");
        reloader.settled("its key was written");
        assertThat(said(Level.ERROR)).isEmpty();
        assertThat(reloader.refusal()).isNull();
        assertThat(reloader.kept().get(0).why()).isEqualTo("a certificate, key or address list was written");
    }

    @Test
    void aCertificateWithoutItsKeyIsAnErrorWithWatchOff() throws Exception {
        Path token = Files.writeString(home.resolve("token"), "a-token-of-some-length\n");
        configure("routes:", "watch: off\nadmin: { address: '127.0.0.1:0', token-file: '" + token + "' }\nroutes:");
        Reloader reloader = started();
        failure = new ConfigException("listeners[0].tls.key", "site.key", "the key of the certificate");
        Files.writeString(token, "another-token-of-some-length\n");
        reloader.follow("the certificate was written");
        reloader.settled("the certificate was written");
        assertThat(said(Level.ERROR)).hasSize(2);
        assertThat(reloader.refused()).isEqualTo(1);
    }

    @Test
    void withWatchOffFilesTakeEffectOnlyByAReload() throws Exception {
        configure("routes:", "watch: off\nroutes:");
        Reloader reloader = started();
        filter(2);
        reloader.follow("the filter directory was written");
        assertThat(numbers(reloader)).containsExactly(1L);
        assertThat(reloader.reload("asked for")).isEqualTo(new Outcome.Taken(2));
        configure("watch: off", "watch: on");
        reloader.follow("the configuration was written");
        assertThat(numbers(reloader)).containsExactly(2L, 1L);
        reloader.reload("asked for");
        filter(3);
        reloader.follow("the filter directory was written");
        assertThat(numbers(reloader)).containsExactly(4L, 3L, 2L, 1L);
    }

    @Test
    void refusedFilesStayRefusedAfterARollback() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.follow("test");
        Files.writeString(outbound.resolve("stamp.groovy"), "filter { nonsense");
        reloader.follow("broken");
        Generations.Refusal refusal = reloader.refusal();
        assertThat(refusal).isNotNull();
        reloader.rollback(1);
        assertThat(reloader.refusal()).isSameAs(refusal);
        filter(3);
        reloader.reload("mended");
        assertThat(reloader.refusal()).isNull();
        assertThat(numbers(reloader)).containsExactly(4L, 3L, 2L);
    }

    @Test
    void anUnexpectedFailureOfTheGatewayIsARefusalWithOneTrace() throws Exception {
        Reloader reloader = started();
        filter(2);
        failure = new IllegalStateException("a fault\nof ours");
        reloader.follow("test");
        assertThat(Objects.requireNonNull(reloader.refusal()).faults())
                .singleElement()
                .asString()
                .endsWith("gateway.yml: unexpected failure: java.lang.IllegalStateException: a fault of ours");
        assertThat(traces()).containsExactly("a fault\nof ours");
        assertThat(reloader.refused()).isEqualTo(1);
    }

    @Test
    void anUnexpectedFailureToReadIsARefusalWithOneTrace() throws Exception {
        environment = name -> {
            throw new IllegalStateException("no environment");
        };
        Reloader reloader = started();
        configure("127.0.0.1:9", "127.0.0.1:${PORT}");
        assertThat(reloader.reload("test"))
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.faults())
                                .singleElement()
                                .asString()
                                .endsWith("unexpected failure: java.lang.IllegalStateException: no environment"));
        assertThat(traces()).containsExactly("no environment");
    }

    @Test
    void anUnexpectedFailureOfARollbackIsARefusalWithOneTrace() throws Exception {
        Reloader reloader = started();
        filter(2);
        reloader.follow("test");
        failure = new IllegalStateException("a fault of ours");
        assertThat(reloader.rollback(1))
                .isEqualTo(new Outcome.Refused(
                        List.of("unexpected failure: java.lang.IllegalStateException: a fault of ours")));
        assertThat(traces()).containsExactly("a fault of ours");
        assertThat(numbers(reloader)).containsExactly(2L, 1L);
        failure = null;
        assertThat(reloader.rollback(1)).isEqualTo(new Outcome.Taken(3));
    }

    private List<String> traces() {
        return lines.list.stream()
                .map(ILoggingEvent::getThrowableProxy)
                .filter(Objects::nonNull)
                .map(IThrowableProxy::getMessage)
                .toList();
    }

    /** An unavailable mount: the thread that reads is blocked in the kernel, and holds a lock that others wait for. */
    @Test
    void closesWhileAReadNeverReturns() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicBoolean stuck = new AtomicBoolean();
        GenerationBuilder builder = new GenerationBuilder(
                "gateway.yml",
                () -> {
                    if (stuck.get()) {
                        reading.countDown();
                        awaitUninterruptibly(released);
                    }
                    return new ConfigReader(environment).read(home.resolve("gateway.yml"));
                },
                groovy,
                Map.of());
        Reloader reloader =
                new Reloader(builder, this::apply, null, groovy.alive(), Rollouts.none(), ChangeNotes.none());
        BuiltGeneration first = builder.build(builder.readRest(builder.read()));
        reloader.started(first, apply(first.assembly()), null);
        stuck.set(true);
        Thread reader = new Thread(() -> reloader.reload("test"));
        reader.start();
        reading.await();
        try {
            Thread closing = new Thread(reloader::close);
            closing.start();
            closing.join(60_000);
            assertThat(closing.isAlive()).isFalse();
            assertThat(reader.isAlive()).isTrue();
        } finally {
            released.countDown();
            reader.join();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // Like a read of an unavailable mount.
            }
        }
    }
}
