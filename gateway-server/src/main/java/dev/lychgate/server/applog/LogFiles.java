package dev.lychgate.server.applog;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import java.io.IOException;
import java.util.Iterator;
import org.slf4j.LoggerFactory;

/**
 * The files of the application log. By default, the log is written to standard error and has no files; a Logback
 * configuration may name files instead.
 */
public final class LogFiles {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogFiles.class);

    private LogFiles() {}

    /**
     * Reopens each file by name. If a file can't be opened, this method logs the failure, and the log continues in the
     * old file. Blocks.
     */
    public static void reopen() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            reopen(context);
        }
    }

    static void reopen(LoggerContext context) {
        for (Logger logger : context.getLoggerList()) {
            for (Iterator<Appender<ILoggingEvent>> all = logger.iteratorForAppenders(); all.hasNext(); ) {
                if (all.next() instanceof FileAppender<ILoggingEvent> file && file.isStarted()) {
                    reopen(file);
                }
            }
        }
    }

    private static void reopen(FileAppender<ILoggingEvent> appender) {
        try {
            appender.openFile(appender.getFile());
        } catch (IOException e) {
            LOG.error(
                    "application log: {} can't be reopened, so lines go to the old file: {}",
                    appender.getFile(),
                    e.toString());
        }
    }
}
