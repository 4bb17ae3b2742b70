package dev.lychgate.server.textlog;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;

/**
 * {@code %ex} of a layout: the exception with its causes, a line for each message and each frame. A message often
 * quotes what somebody sent, and must not look like a frame, nor like the next line of the log.
 */
public final class StackTrace extends ThrowableProxyConverter {
    @Override
    protected String throwableProxyToString(IThrowableProxy thrown) {
        return super.throwableProxyToString(new EscapedThrowable(thrown));
    }
}
