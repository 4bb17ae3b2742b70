package dev.lychgate.server.accesslog;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.util.FileSize;
import dev.lychgate.config.RollConfig;
import dev.lychgate.gateway.StartFailure;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPMDCAdapter;

/**
 * Writes lines through Logback, logger {@code lychgate.access}. In a Logback context of its own: the application's log
 * configuration neither takes these lines nor is touched by them, and two gateways in one process do not write into each
 * other's logs.
 */
final class LogbackSink implements LineSink {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogbackSink.class);
    private static final int BUFFER = 256 << 10;

    private final LoggerContext context = new LoggerContext();
    private final Logger logger = context.getLogger("lychgate.access");
    private final DiskWatch disk = new DiskWatch();
    private final OutputStreamAppender<ILoggingEvent> appender;
    /** Whether the file may end within a line: after a start, a reopening or a failure, until a write succeeds. */
    private boolean mayEndWithinLine = true;

    /**
     * @param file null for standard output
     * @param roll how the file is rolled; null = not at all
     * @throws StartFailure if the file can't be written
     */
    static LogbackSink open(@Nullable String file, @Nullable RollConfig roll) {
        if (file != null && file.indexOf('%') >= 0) {
            // Logback takes it for a pattern, and knows no escape for it in file names.
            throw new StartFailure("access-log: the name of a rolled file can't hold a per cent sign: " + file);
        }
        LogbackSink sink = new LogbackSink(file, roll);
        if (!sink.appender.isStarted()) {
            String reason = sink.reason();
            sink.close();
            throw new StartFailure("access-log: can't write to " + file + reason);
        }
        sink.context.getStatusManager().add(LogbackSink::pass);
        return sink;
    }

    private LogbackSink(@Nullable String file, @Nullable RollConfig roll) {
        context.setName("lychgate-access");
        // A context that nobody has configured has none.
        context.setMDCAdapter(new NOPMDCAdapter());
        context.start();
        appender = file == null ? console() : file(file, roll);
        appender.setContext(context);
        appender.setName(file == null ? "stdout" : "file");
        appender.setEncoder(encoder());
        // By write, which is to know how that went.
        appender.setImmediateFlush(false);
        appender.start();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(appender);
    }

    private String reason() {
        for (Status status : context.getStatusManager().getCopyOfStatusList()) {
            if (status.getThrowable() != null) {
                return ": " + status.getThrowable().getMessage();
            }
        }
        return "";
    }

    /** Logback says of a full disk, and of its end, in its status alone. */
    private static void pass(Status status) {
        if (status.getEffectiveLevel() >= Status.WARN) {
            Throwable cause = status.getThrowable();
            LOG.warn("access log: {}{}", status.getMessage(), cause == null ? "" : " (" + cause.getMessage() + ")");
        }
    }

    private RawEncoder encoder() {
        RawEncoder encoder = new RawEncoder();
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }

    private static OutputStreamAppender<ILoggingEvent> console() {
        OutputStreamAppender<ILoggingEvent> console = new OutputStreamAppender<>();
        console.setOutputStream(new BufferedOutputStream(new StandardOutput(), BUFFER));
        return console;
    }

    private FileAppender<ILoggingEvent> file(String file, @Nullable RollConfig roll) {
        FileAppender<ILoggingEvent> appender = roll == null ? new FileAppender<>() : rolling(file, roll);
        appender.setFile(file);
        appender.setBufferSize(new FileSize(BUFFER));
        return appender;
    }

    private RollingFileAppender<ILoggingEvent> rolling(String file, RollConfig roll) {
        RollingFileAppender<ILoggingEvent> rolling = new RollingFileAppender<>();
        rolling.setContext(context);
        rolling.setFile(file);
        SizeAndTimeBasedRollingPolicy<ILoggingEvent> policy = new SizeAndTimeBasedRollingPolicy<>();
        policy.setContext(context);
        policy.setParent(rolling);
        policy.setFileNamePattern(
                file + ".%d{yyyy-MM-dd}.%i" + (roll.compress() == RollConfig.Compress.GZIP ? ".gz" : ""));
        policy.setMaxFileSize(new FileSize(roll.size().bytes()));
        if (roll.keep() > 0) {
            policy.setMaxHistory(roll.keep());
            policy.setTotalSizeCap(new FileSize(roll.total().bytes()));
            // What became too old while nothing ran.
            policy.setCleanHistoryOnStart(true);
        }
        policy.start();
        rolling.setRollingPolicy(policy);
        return rolling;
    }

    /** To Logback all of them are one event, which costs hardly more than that of a single line. */
    @Override
    public void write(byte[] lines) {
        byte[] whole = mayEndWithinLine && endsWithinLine() ? onNewLine(lines) : lines;
        mayEndWithinLine = true;
        logger.info(RawEncoder.BYTES, (Object) whole);
        OutputStream out = appender.getOutputStream();
        disk.afterWrite(out);
        if (out == null) {
            throw new UncheckedIOException(new IOException("it is closed"));
        }
        try {
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        disk.afterFlush();
        mayEndWithinLine = false;
    }

    private static byte[] onNewLine(byte[] lines) {
        byte[] whole = new byte[lines.length + 1];
        whole[0] = '\n';
        System.arraycopy(lines, 0, whole, 1, lines.length);
        return whole;
    }

    /** Whether a full disk, or the end of an earlier process, has cut the last line of the file. */
    private boolean endsWithinLine() {
        if (!(appender instanceof FileAppender<ILoggingEvent> file)) {
            return false;
        }
        try (SeekableByteChannel channel = Files.newByteChannel(Path.of(file.getFile()))) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return channel.size() > 0 && channel.position(channel.size() - 1).read(last) == 1 && last.get(0) != '\n';
        } catch (IOException | UnsupportedOperationException e) {
            // A device or pipe has no end to look at.
            return false;
        }
    }

    @Override
    public void reopen() {
        mayEndWithinLine = true;
        if (appender instanceof FileAppender<ILoggingEvent> file) {
            try {
                file.openFile(file.getFile());
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        }
    }

    @Override
    public void close() {
        logger.detachAndStopAllAppenders();
        context.stop();
    }
}
