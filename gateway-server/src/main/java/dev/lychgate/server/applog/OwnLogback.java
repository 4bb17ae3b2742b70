package dev.lychgate.server.applog;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.lychgate.server.logwriter.StandardStream;
import dev.lychgate.server.textlog.TextEncoder;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The default application log: readable lines on standard error, which leaves standard output to the access log. The
 * environment variable {@code LYCHGATE_LOG_LEVEL} sets the lowest level that is logged.
 *
 * <p>The log is configured in Java, because a file in XML would require a parser and all of Logback's configuration
 * code at each start. A Logback file takes precedence if {@code -Dlogback.configurationFile} names it or if it is on
 * the class path.
 */
public final class OwnLogback extends ContextAwareBase implements Configurator {
    /** The name of the appender of the root logger. */
    static final String APPENDER = "stderr";

    /** The appender of the process; null if the process has its own Logback configuration. */
    private static volatile @Nullable QueuedAppender ofProcess;

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null
                || isThere("logback-test.xml")
                || isThere("logback.xml")) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        ofProcess = begin(context, System.getenv("LYCHGATE_LOG_LEVEL"), StandardStream.error());
        Runtime.getRuntime().addShutdownHook(new Thread(OwnLogback::flush, "lychgate-log-end"));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static boolean isThere(String resource) {
        return OwnLogback.class.getClassLoader().getResource(resource) != null;
    }

    /**
     * Configures {@code context} with {@code level} as the lowest level, or with INFO if {@code level} is null or
     * unknown.
     */
    public static void begin(LoggerContext context, @Nullable String level) {
        begin(context, level, StandardStream.error());
    }

    static QueuedAppender begin(LoggerContext context, @Nullable String level, OutputStream out) {
        TextEncoder encoder = new TextEncoder();
        encoder.setContext(context);
        encoder.start();
        QueuedAppender appender = new QueuedAppender(out, encoder);
        appender.setContext(context);
        appender.setName(APPENDER);
        appender.start();
        context.getLogger("io.netty").setLevel(Level.WARN);
        // The audit log has an explicit level, so that it stays complete even if the root has a higher level.
        context.getLogger("lychgate.audit").setLevel(Level.INFO);
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(level, Level.INFO));
        root.addAppender(appender);
        return appender;
    }

    /**
     * Returns the number of lines of the process's log that were dropped, because standard error was not read or
     * failed.
     */
    public static long dropped() {
        QueuedAppender appender = ofProcess;
        return appender == null ? 0 : appender.dropped();
    }

    /** Waits for a limited time until the lines of the process's log are written. */
    public static void flush() {
        QueuedAppender appender = ofProcess;
        if (appender != null) {
            appender.flush();
        }
    }
}
