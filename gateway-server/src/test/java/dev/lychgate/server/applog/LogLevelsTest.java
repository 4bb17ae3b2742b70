package dev.lychgate.server.applog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogLevelsTest {
    private static final Instant NOW = Instant.parse("2026-11-03T04:05:06Z");

    private final LoggerContext context = new LoggerContext();
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final LogLevels levels =
            new LogLevels(context, Clock.fixed(NOW, ZoneOffset.UTC), (delay, task) -> later.add(task));

    @BeforeEach
    void configure() {
        context.getLogger("ROOT").setLevel(Level.INFO);
        context.getLogger("io.netty").setLevel(Level.WARN);
        context.getLogger("dev.lychgate.Gate");
    }

    @Test
    void listsEveryLoggerWithItsOwnAndItsEffectiveLevel() {
        assertThat(levels.list())
                .contains(
                        new LoggerLevel("root", "info", "info", null, null),
                        new LoggerLevel("io.netty", "warn", "warn", null, null),
                        new LoggerLevel("dev.lychgate.Gate", null, "info", null, null))
                .first()
                .extracting(LoggerLevel::name)
                .isEqualTo("root");
    }

    @Test
    void setsALevelUntilTheEnd() {
        assertThat(levels.set("dev.lychgate", "DEBUG", null))
                .isEqualTo(new LoggerLevel("dev.lychgate", "debug", "debug", null, null));
        assertThat(context.getLogger("dev.lychgate.Gate").isDebugEnabled()).isTrue();
        assertThat(later).isEmpty();
    }

    @Test
    void setsTheLevelOfTheRoot() {
        levels.set("root", "error", null);
        assertThat(context.getLogger("dev.lychgate.Gate").isWarnEnabled()).isFalse();
    }

    @Test
    void restoresThePreviousLevelAfterTheTime() {
        assertThat(levels.set("io.netty", "trace", Duration.ofMinutes(5)))
                .isEqualTo(new LoggerLevel("io.netty", "trace", "trace", NOW.plus(Duration.ofMinutes(5)), "warn"));
        later.remove().run();
        assertThat(levels.of("io.netty")).isEqualTo(new LoggerLevel("io.netty", "warn", "warn", null, null));
    }

    @Test
    void restoresTheInheritedLevelIfThereWasNone() {
        levels.set("dev.lychgate.Gate", "debug", Duration.ofSeconds(1));
        later.remove().run();
        assertThat(levels.of("dev.lychgate.Gate").level()).isNull();
    }

    @Test
    void aLaterChangeReplacesATemporaryOneAndKeepsThePreviousLevel() {
        levels.set("io.netty", "debug", Duration.ofMinutes(5));
        levels.set("io.netty", "trace", Duration.ofMinutes(9));
        later.remove().run();
        assertThat(levels.of("io.netty").level()).as("the first time is over").isEqualTo("trace");
        later.remove().run();
        assertThat(levels.of("io.netty").level()).as("the second, too").isEqualTo("warn");
    }

    @Test
    void aPermanentChangeIsNotRevertedByATemporaryOne() {
        levels.set("io.netty", "debug", Duration.ofMinutes(5));
        levels.set("io.netty", "error", null);
        later.remove().run();
        assertThat(levels.of("io.netty")).isEqualTo(new LoggerLevel("io.netty", "error", "error", null, null));
    }

    @Test
    void removesTheLevelOfALogger() {
        levels.set("io.netty", "debug", Duration.ofMinutes(5));
        assertThat(levels.inherit("io.netty")).isEqualTo(new LoggerLevel("io.netty", null, "info", null, null));
        later.remove().run();
        assertThat(levels.of("io.netty").level()).isNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> levels.inherit("root"))
                .withMessageContaining("root has no logger above it");
    }

    @Test
    void showsAFutureLoggerWithoutCreatingIt() {
        assertThat(levels.of("io.netty.handler.New"))
                .isEqualTo(new LoggerLevel("io.netty.handler.New", null, "warn", null, null));
        assertThat(context.exists("io.netty.handler.New")).isNull();
        levels.inherit("not.yet");
        assertThat(context.exists("not.yet")).isNull();
    }

    @Test
    void aFiltersLoggerMayBeSetBeforeItFirstRuns() {
        levels.set("dev.lychgate.filter.check stock", "debug", null);
        assertThat(context.getLogger("dev.lychgate.filter.check stock").isDebugEnabled())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "loud", "debug ", "info\nforged", "ALL", "5"})
    void refusesAnUnknownLevel(String level) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> levels.set("io.netty", level, null))
                .withMessageContaining("(expected: off, error, warn, info, debug or trace)")
                .satisfies(e -> assertThat(e.getMessage()).matches("[ -~]*"));
        assertThat(levels.of("io.netty").level()).isEqualTo("warn");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ".", "a..b", ".a", "a.", "a\nb", "a\u001b[2J", "caf\u00e9", " a", "a  b"})
    void refusesMalformedNames(String name) {
        int before = context.getLoggerList().size();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> levels.set(name, "debug", null))
                .withMessageContaining("(expected: root, or names joined by dots")
                .satisfies(e -> assertThat(e.getMessage()).matches("[ -~]*"));
        assertThat(context.getLoggerList()).hasSize(before);
    }

    @Test
    void refusesATooLongName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> levels.set("a".repeat(201), "debug", null))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(250));
    }

    @Test
    void theAuditLogCanNotBeSilencedNorInheritALevel() {
        context.getLogger("lychgate.audit").setLevel(Level.INFO);
        assertThatIllegalArgumentException().isThrownBy(() -> levels.set("lychgate.audit", "off", null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> levels.set("lychgate.audit", "warn", Duration.ofMinutes(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> levels.inherit("lychgate.audit"));
        levels.set("root", "off", null);
        levels.set("lychgate", "off", null);
        assertThat(levels.of("lychgate.audit"))
                .isEqualTo(new LoggerLevel("lychgate.audit", "info", "info", null, null));
    }

    @Test
    void refusesATimeThatIsZeroOrTooLong() {
        for (Duration within : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1), Duration.ofHours(25)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> levels.set("io.netty", "debug", within))
                    .withMessageContaining("at most 24h");
        }
        assertThat(levels.of("io.netty").level()).isEqualTo("warn");
    }

    @Test
    void createsAtMostAThousandUnknownLoggers() {
        for (int i = 0; i < 1000; i++) {
            levels.set("made.by.hand" + i, "debug", null);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> levels.set("one.too.many", "debug", null))
                .withMessageContaining("1000");
        assertThat(levels.set("made.by.hand7", "info", null).level()).isEqualTo("info");
        assertThat(levels.set("io.netty", "info", null).level()).isEqualTo("info");
    }
}
