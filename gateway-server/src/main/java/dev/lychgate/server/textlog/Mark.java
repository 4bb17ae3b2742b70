package dev.lychgate.server.textlog;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.lychgate.exchange.LogMark;
import dev.lychgate.server.applog.EventMark;

/**
 * {@code %mark} of a layout: request id and route of the exchange on whose account a line is written, where it does not begin
 * with them anyway. So lines of a filter's own logger have them too.
 */
public final class Mark extends ClassicConverter {
    @Override
    public String convert(ILoggingEvent event) {
        if (EventMark.said(event) != null) {
            return "";
        }
        LogMark mark = EventMark.ofThread();
        return mark == null ? "" : String.valueOf(ControlCharacters.escaped(mark.toString()));
    }
}
