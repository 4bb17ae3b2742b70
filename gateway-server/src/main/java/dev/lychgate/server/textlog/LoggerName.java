package dev.lychgate.server.textlog;

import ch.qos.logback.classic.pattern.LoggerConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import org.jspecify.annotations.Nullable;

/** {@code %logger} of a layout, in one line: a filter may have any name, and logs under it. */
public final class LoggerName extends LoggerConverter {
    @Override
    public @Nullable String convert(ILoggingEvent event) {
        return ControlCharacters.escaped(super.convert(event));
    }
}
