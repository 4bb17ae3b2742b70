package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.lychgate.testing.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@Tag("slow")
@Tag("each-jdk")
class AbandonedBuildsTest {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String END = "lychgate.test.end-of-build";

    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(BuildThread.class);

    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            // Builds that other tests have abandoned may still run.
            if (event.getLevel() == Level.WARN && event.getFormattedMessage().startsWith("inbound/Z.groovy: ")) {
                warnings.add(event.getFormattedMessage());
            }
        }
    };

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        System.clearProperty(END);
        logger.detachAppender(appender);
        logger.setAdditive(true);
    }

    /** Otherwise, a slow machine could take longer than the time limit before it runs the static block. */
    @BeforeAll
    static void loadTheClassesOfTheCompiler() throws Exception {
        Sources.build("inbound/early.groovy", "filter { }").close();
    }

    private static FilterSources busyUntil(String condition) {
        return Sources.of("inbound/Z.groovy", """
                import dev.lychgate.filter.*
                class Z implements SyncFilter {
                    static {
                        while (!(%s)) {
                        }
                    }
                    FilterOutcome filter(FilterExchange e) { e.proceed() }
                }
                """.formatted(condition));
    }

    @Test
    void aBuildThatIgnoresItsInterruptIsReportedAgainAndAgainUntilItEnds() throws Exception {
        GroovyFilters groovy = new GroovyFilters(Duration.ofSeconds(4), Duration.ofMillis(20));
        assertThatThrownBy(() -> groovy.build(busyUntil("System.getProperty('" + END + "') != null")))
                .isInstanceOf(FilterFaultsException.class)
                .hasMessageContaining("was abandoned");

        Eventually.eventually(LONGEST, () -> assertThat(warnings).hasSizeGreaterThan(2));
        assertThat(warnings)
                .allMatch(line -> line.startsWith("inbound/Z.groovy: the abandoned build of filters still runs, at "));
        assertThat(groovy.alive().abandonedBuilds()).isEqualTo(1);

        System.setProperty(END, "now");
        Eventually.eventually(
                LONGEST, () -> assertThat(groovy.alive().abandonedBuilds()).isZero());
    }

    @Test
    void aBuildThatIsInterruptedEnds() throws Exception {
        GroovyFilters groovy = new GroovyFilters(Duration.ofSeconds(4), LONGEST);
        assertThatThrownBy(() -> groovy.build(busyUntil("Thread.currentThread().isInterrupted()")))
                .isInstanceOf(FilterFaultsException.class);
        Eventually.eventually(
                LONGEST, () -> assertThat(groovy.alive().abandonedBuilds()).isZero());
        assertThat(warnings).isEmpty();
    }
}
