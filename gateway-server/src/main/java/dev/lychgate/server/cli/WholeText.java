package dev.lychgate.server.cli;

import dev.lychgate.server.push.BoundedBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** Reads the body of a response as text. A body longer than any of a gateway fails and ends the connection. */
final class WholeText extends BoundedBody<String> {
    private static final int MOST_BYTES = 16 << 20;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    WholeText() {
        super(MOST_BYTES);
    }

    @Override
    protected void accept(ByteBuffer part) {
        byte[] copy = new byte[part.remaining()];
        part.get(copy);
        bytes.writeBytes(copy);
    }

    @Override
    protected void complete(CompletableFuture<String> result, boolean tooLong) {
        if (tooLong) {
            result.completeExceptionally(new IOException("an answer without end"));
        } else {
            result.complete(bytes.toString(StandardCharsets.UTF_8));
        }
    }
}
