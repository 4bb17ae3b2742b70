package dev.lychgate.server.textlog;

import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import org.jspecify.annotations.Nullable;

/** {@code %msg} of a layout, in one line. */
public final class Message extends MessageConverter {
    @Override
    public @Nullable String convert(ILoggingEvent event) {
        return ControlCharacters.escaped(super.convert(event));
    }
}
