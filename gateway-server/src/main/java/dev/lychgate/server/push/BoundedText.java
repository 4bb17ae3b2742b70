package dev.lychgate.server.push;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * Reads the body of a response as text in UTF-8. If the body exceeds its bound, the request fails with {@link TooLong}.
 */
public final class BoundedText extends BoundedBody<String> {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** A body that is longer than its bound. */
    public static final class TooLong extends IOException {
        private static final long serialVersionUID = 1;

        TooLong() {
            super("the response is too long");
        }
    }

    /** @param most maximum length of the body in bytes */
    public BoundedText(long most) {
        super(most);
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
            result.completeExceptionally(new TooLong());
        } else {
            result.complete(bytes.toString(StandardCharsets.UTF_8));
        }
    }
}
