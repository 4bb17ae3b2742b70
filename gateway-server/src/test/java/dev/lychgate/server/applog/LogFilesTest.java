package dev.lychgate.server.applog;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.helpers.NOPMDCAdapter;

/** Files of the application log after another program has renamed them. */
class LogFilesTest {
    @TempDir
    Path directory = Path.of("");

    private final LoggerContext context = new LoggerContext();
    private Path file = Path.of("");

    @BeforeEach
    void start() {
        file = directory.resolve("app.log");
        context.setMDCAdapter(new NOPMDCAdapter());
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%msg%n");
        encoder.start();
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setContext(context);
        appender.setFile(file.toString());
        appender.setEncoder(encoder);
        appender.start();
        context.getLogger("some.logger").addAppender(appender);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private void log(String line) {
        context.getLogger("some.logger").error(line);
    }

    @Test
    void reopenedLinesGoToANewFileOfTheOldName() throws Exception {
        log("before");
        Path renamed = Files.move(file, directory.resolve("app.log.1"));
        log("between");
        LogFiles.reopen(context);
        log("after");
        assertThat(renamed).hasContent("before\nbetween\n");
        assertThat(file).hasContent("after\n");
    }

    @Test
    void aFileThatCanNotBeReopenedStaysInItsOldOne() throws Exception {
        log("before");
        Path renamed = Files.move(file, directory.resolve("app.log.1"));
        Files.createDirectory(file);
        LogFiles.reopen(context);
        log("after");
        assertThat(renamed).hasContent("before\nafter\n");
    }
}
