package dev.lychgate.server.applog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.lychgate.config.LogConfig;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The effects of the {@code log} section on the log of the process. */
class LogSetupTest {
    private final LoggerContext context = new LoggerContext();

    @BeforeEach
    void begin() throws Exception {
        OwnLogback.begin(context, null);
    }

    @AfterEach
    void end() {
        context.stop();
    }

    private String written() {
        var appender = (QueuedAppender) context.getLogger("ROOT").getAppender("stderr");
        LoggingEvent event = new LoggingEvent("", context.getLogger("a.B"), Level.INFO, "up", null, new Object[0]);
        return new String(appender.encoder().encode(event), UTF_8);
    }

    @Test
    void absentKeysChangeNothing() {
        LogSetup.apply(LogConfig.DEFAULT, context);

        assertThat(written()).endsWith(" INFO  B - up\n");
        assertThat(context.getLogger("io.netty").getLevel()).isEqualTo(Level.WARN);
    }

    @Test
    void aChangeRestoresWhatItDoesNotSet() {
        LogSetup.apply(
                new LogConfig(
                        LogConfig.Format.JSON,
                        LogConfig.Level.ERROR,
                        Map.of("io.netty", LogConfig.Level.DEBUG, "a.b", LogConfig.Level.OFF)),
                context);
        LogSetup.apply(new LogConfig(LogConfig.Format.TEXT, null, Map.of("a.b", LogConfig.Level.TRACE)), context);

        assertThat(written()).endsWith(" INFO  B - up\n");
        assertThat(context.getLogger("ROOT").getLevel()).isEqualTo(Level.INFO);
        assertThat(context.getLogger("io.netty").getLevel()).isEqualTo(Level.WARN);
        assertThat(context.getLogger("a.b").getLevel()).isEqualTo(Level.TRACE);

        LogSetup.apply(LogConfig.DEFAULT, context);

        assertThat(context.getLogger("a.b").getLevel()).isNull();
    }

    @Test
    void linesMayBeJson() {
        LogSetup.apply(new LogConfig(LogConfig.Format.JSON, null, Map.of()), context);

        assertThat(written()).startsWith("{\"time\":\"").endsWith("\"message\":\"up\"}\n");
    }

    @Test
    void levelsAreSet() {
        LogSetup.apply(
                new LogConfig(
                        LogConfig.Format.TEXT,
                        LogConfig.Level.ERROR,
                        Map.of("io.netty", LogConfig.Level.DEBUG, "a.b", LogConfig.Level.OFF)),
                context);

        assertThat(context.getLogger("ROOT").getLevel()).isEqualTo(Level.ERROR);
        assertThat(context.getLogger("io.netty").getLevel()).isEqualTo(Level.DEBUG);
        assertThat(context.getLogger("a.b").getLevel()).isEqualTo(Level.OFF);
    }

    @Test
    void aCustomConfigurationKeepsItsForm() {
        LoggerContext theirs = new LoggerContext();
        LogSetup.apply(new LogConfig(LogConfig.Format.JSON, LogConfig.Level.WARN, Map.of()), theirs);

        assertThat(theirs.getLogger("ROOT").getLevel()).isEqualTo(Level.WARN);
        assertThat(theirs.getLogger("ROOT").getAppender("stderr")).isNull();
    }
}
