package dev.lychgate.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.lychgate.config.AddressFamily;
import dev.lychgate.config.DnsConfig;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** The times of lookups of a name, and the effect of their results, in virtual time. */
class NameWatchTest {
    private static final DnsConfig CONFIG = new DnsConfig(
            List.of(), AddressFamily.EITHER, Duration.ofSeconds(2), Duration.ofSeconds(60), Duration.ofSeconds(1));

    private record Due(long millis, Runnable task) {}

    private final List<Due> due = new ArrayList<>();
    private final List<List<String>> changes = new ArrayList<>();
    private CompletionStage<Lookup.Answer<List<String>>> next = new CompletableFuture<>();
    private int asked;
    private boolean closed;

    private final NameWatch<List<String>> watch = new NameWatch<>(
            "api",
            "api.test",
            CONFIG,
            new Lookup<>() {
                @Override
                public CompletionStage<Lookup.Answer<List<String>>> ask() {
                    asked++;
                    return next;
                }

                @Override
                public void close() {
                    closed = true;
                }
            },
            (millis, task) -> {
                if (millis == 0) {
                    task.run();
                } else {
                    due.add(new Due(millis, task));
                }
            },
            changes::add);

    private void answers(long ttl, String... addresses) {
        next = CompletableFuture.completedStage(new Lookup.Answer<>(List.of(addresses), ttl));
    }

    private void fails() {
        next = CompletableFuture.failedStage(new UnknownHostException("no answer"));
    }

    /**
     * Advances to the next lookup.
     *
     * @return the elapsed time, in milliseconds
     */
    private long pass() {
        assertThat(due).hasSize(1);
        Due one = due.remove(0);
        one.task().run();
        return one.millis();
    }

    /** Requires that the next lookup is due after {@code millis}, randomly shortened by at most a tenth. */
    private void dueAfter(long millis) {
        assertThat(due).hasSize(1);
        assertThat(due.get(0).millis()).isBetween(millis - millis / 10, millis);
    }

    @ParameterizedTest
    @CsvSource({"30, 30000", "0, 2000", "1, 2000", "86400, 60000", "9223372036854775807, 30000"})
    void anAnswerIsGoodForAsLongAsItSaysWithinLimits(long ttl, long millis) {
        answers(ttl, "10.0.0.1");
        watch.look();
        dueAfter(millis);
        assertThat(watch.first()).isCompleted();
    }

    @Test
    void reportsOnlyAResultThatDiffers() {
        answers(30, "10.0.0.1");
        watch.look();
        pass();
        answers(30, "10.0.0.1", "10.0.0.2");
        pass();
        pass();
        assertThat(changes).containsExactly(List.of("10.0.0.1"), List.of("10.0.0.1", "10.0.0.2"));
        assertThat(watch.status()).isEqualTo(new NameStatus("api", "api.test", 4, 0, null));
    }

    @Test
    void afterFailuresQueriesBecomeRarerAndTheLastResultStays() {
        answers(30, "10.0.0.1");
        watch.look();
        fails();
        pass();
        for (long delay : new long[] {500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000}) {
            dueAfter(delay);
            pass();
        }
        assertThat(changes).hasSize(1);
        assertThat(watch.status()).isEqualTo(new NameStatus("api", "api.test", 1, 9, "no answer"));

        answers(30, "10.0.0.1");
        pass();
        dueAfter(30_000);
        fails();
        pass();
        dueAfter(500);
        assertThat(changes).hasSize(1);
    }

    @Test
    void logLinesShowTheFirstOfManyAddressesAndTheirNumber() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(NameWatch.class);
        Level before = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
        try {
            answers(
                    30,
                    IntStream.range(0, 3_900)
                            .mapToObj(i -> "10.0." + i / 256 + "." + i % 256)
                            .toArray(String[]::new));
            watch.look();
            fails();
            pass();
        } finally {
            logger.detachAppender(log);
            logger.setLevel(before);
        }
        String excerpt =
                "[10.0.0.0, 10.0.0.1, 10.0.0.2, 10.0.0.3, 10.0.0.4, 10.0.0.5, 10.0.0.6, 10.0.0.7, …] (3900 in total)";
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "upstream api: api.test resolves to " + excerpt,
                        "upstream api: api.test cannot be resolved: no answer; the last result stays in use: "
                                + excerpt);
        assertThat(changes).singleElement().asInstanceOf(LIST).hasSize(3_900);
    }

    @Test
    void theFirstLookupIsOverAlsoWhenItFails() {
        watch.look();
        assertThat(watch.first()).isNotCompleted();
        fails();
        watch.look();
        assertThat(watch.first()).isCompleted();
        assertThat(changes).isEmpty();
    }

    @Test
    void aStoppedWatchSendsNoQueriesAndReportsNoResults() {
        CompletableFuture<Lookup.Answer<List<String>>> late = new CompletableFuture<>();
        next = late;
        watch.look();
        watch.stop();
        late.complete(new Lookup.Answer<>(List.of("10.0.0.1"), 1));
        watch.look();
        assertThat(changes).isEmpty();
        assertThat(due).isEmpty();
        assertThat(asked).isEqualTo(1);
        assertThat(closed).isTrue();
        assertThat(watch.first()).isCompleted();
    }
}
