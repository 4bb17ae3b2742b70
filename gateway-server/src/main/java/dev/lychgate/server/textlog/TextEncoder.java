package dev.lychgate.server.textlog;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.lychgate.chain.LogMark;
import dev.lychgate.config.KnownSecrets;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the application log as readable text in UTF-8. Each event takes one line. If the event has an exception, one
 * line follows for each message and each frame of the exception. Untrusted text cannot end a line, imitate a frame, or
 * control a terminal.
 *
 * <p>Lines are formatted in code, because Logback's patterns take almost a tenth of a second of each start.
 */
public final class TextEncoder extends EncoderBase<ILoggingEvent> {
    private static final int LONGEST_LEVEL = 5;
    private static final byte[] NOTHING = {};

    private final DateTimeFormatter time = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    @Override
    public byte[] encode(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(160);
        time.formatTo(Instant.ofEpochMilli(event.getTimeStamp()), line);
        line.append(' ');
        int level = line.length();
        line.append(event.getLevel());
        while (line.length() <= level + LONGEST_LEVEL) {
            line.append(' ');
        }
        // The name is escaped, because it may be the name of a filter, which may contain any characters.
        line.append(ControlCharacters.escaped(simple(event.getLoggerName()))).append(" - ");
        mark(line, event);
        line.append(ControlCharacters.escaped(withoutSecrets(event.getFormattedMessage())))
                .append(System.lineSeparator());
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            line.append(ThrowableProxyUtil.asString(oneLineEach(thrown)));
        }
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable String simple(@Nullable String name) {
        return name == null ? null : name.substring(name.lastIndexOf('.') + 1);
    }

    /**
     * Appends the request and route. If the event has key-value pairs for the request and route, appends nothing,
     * because the message of such an event begins with the request and route.
     */
    private static void mark(StringBuilder line, ILoggingEvent event) {
        if (EventMark.said(event) == null) {
            LogMark mark = EventMark.ofThread();
            if (mark != null) {
                line.append(ControlCharacters.escaped(mark.toString()));
            }
        }
    }

    /** Returns a view of an exception and its causes in which each message is on one line. */
    private static IThrowableProxy oneLineEach(IThrowableProxy thrown) {
        return (IThrowableProxy) Proxy.newProxyInstance(
                TextEncoder.class.getClassLoader(),
                new Class<?>[] {IThrowableProxy.class},
                (self, method, arguments) -> escaped(method.invoke(thrown, arguments)));
    }

    private static @Nullable Object escaped(@Nullable Object value) {
        if (value instanceof IThrowableProxy cause) {
            return oneLineEach(cause);
        }
        if (value instanceof IThrowableProxy[] all) {
            return Arrays.stream(all).map(TextEncoder::oneLineEach).toArray(IThrowableProxy[]::new);
        }
        return value instanceof String text ? ControlCharacters.escaped(withoutSecrets(text)) : value;
    }

    /** Masks secrets of the configuration in messages of filters and exceptions. */
    private static @Nullable String withoutSecrets(@Nullable String text) {
        return text == null ? null : KnownSecrets.OF_PROCESS.hide(text);
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
