package dev.lychgate.server.accesslog;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;

/** Writes messages as they are: they are lines already, of ASCII alone. */
final class RawEncoder extends EncoderBase<ILoggingEvent> {
    private static final byte[] NOTHING = {};

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        return event.getMessage().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
