package dev.lychgate.server.accesslog;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;

/** Writes the bytes that an event has for its argument: they are lines already. */
final class RawEncoder extends EncoderBase<ILoggingEvent> {
    /** The message of such an event: without a place for the bytes, into which Logback would put each of them as a number. */
    static final String BYTES = "lines";

    private static final byte[] NOTHING = {};

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        return (byte[]) event.getArgumentArray()[0];
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
