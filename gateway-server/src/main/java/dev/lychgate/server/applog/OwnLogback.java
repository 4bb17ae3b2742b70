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
 * The application log as it begins: one readable line each on standard error, which leaves standard output to the access log.
 * {@code LYCHGATE_LOG_LEVEL} says from which level on.
 *
 * <p>Said in Java, as it is said at each start: to read it as XML takes an XML parser and the whole of Logback's own machinery.
 * Whoever has a file for Logback, named by {@code -Dlogback.configurationFile} or found on the class path, goes by that.
 */
public final class OwnLogback extends ContextAwareBase implements Configurator {
    /** The name of our appender, on the root logger. */
    static final String APPENDER = "stderr";

    /** The appender of the process; null if it logs by a configuration of its own. */
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

    /** Sets it up in {@code context}. @param level from which level on; null or none that there is: INFO */
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
        // Whoever wants to read less still wants to know who has changed what.
        context.getLogger("lychgate.audit").setLevel(Level.INFO);
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.toLevel(level, Level.INFO));
        root.addAppender(appender);
        return appender;
    }

    /** Lines of the process's log that were dropped because standard error was not read. */
    public static long dropped() {
        QueuedAppender appender = ofProcess;
        return appender == null ? 0 : appender.dropped();
    }

    /** Waits a bounded time until the lines of the process's log are written. */
    public static void flush() {
        QueuedAppender appender = ofProcess;
        if (appender != null) {
            appender.flush();
        }
    }
}
