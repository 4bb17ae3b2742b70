package dev.lychgate.zuul;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The body of the origin as a stream. The body is requested when the stream is read for the first time. */
final class OriginBody extends InputStream {
    private final Supplier<byte[]> body;
    private @Nullable ByteArrayInputStream open;

    OriginBody(Supplier<byte[]> body) {
        this.body = body;
    }

    private ByteArrayInputStream bytes() {
        ByteArrayInputStream in = open;
        if (in == null) {
            in = new ByteArrayInputStream(body.get());
            open = in;
        }
        return in;
    }

    @Override
    public int read() {
        return bytes().read();
    }

    @Override
    public int read(byte[] into, int offset, int length) {
        return bytes().read(into, offset, length);
    }

    @Override
    public int available() {
        return bytes().available();
    }
}
