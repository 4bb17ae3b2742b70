package dev.lychgate.server.textlog;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import org.jspecify.annotations.Nullable;

/** An exception whose messages, and those of all its causes, are one line each. */
final class EscapedThrowable implements IThrowableProxy {
    private final IThrowableProxy thrown;

    EscapedThrowable(IThrowableProxy thrown) {
        this.thrown = thrown;
    }

    @Override
    public @Nullable String getMessage() {
        return ControlCharacters.escaped(thrown.getMessage());
    }

    /** What it says of itself in {@code toString()}, if that is not class and message. */
    @Override
    public @Nullable String getOverridingMessage() {
        return ControlCharacters.escaped(thrown.getOverridingMessage());
    }

    @Override
    public String getClassName() {
        return thrown.getClassName();
    }

    @Override
    public StackTraceElementProxy[] getStackTraceElementProxyArray() {
        return thrown.getStackTraceElementProxyArray();
    }

    @Override
    public int getCommonFrames() {
        return thrown.getCommonFrames();
    }

    @Override
    public @Nullable IThrowableProxy getCause() {
        IThrowableProxy cause = thrown.getCause();
        return cause == null ? null : new EscapedThrowable(cause);
    }

    @Override
    public IThrowableProxy @Nullable [] getSuppressed() {
        IThrowableProxy[] suppressed = thrown.getSuppressed();
        if (suppressed == null) {
            return null;
        }
        IThrowableProxy[] escaped = new IThrowableProxy[suppressed.length];
        for (int i = 0; i < suppressed.length; i++) {
            escaped[i] = new EscapedThrowable(suppressed[i]);
        }
        return escaped;
    }

    @Override
    public boolean isCyclic() {
        return thrown.isCyclic();
    }
}
