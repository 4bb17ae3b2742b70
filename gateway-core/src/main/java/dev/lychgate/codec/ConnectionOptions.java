package dev.lychgate.codec;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads the options for persistent connections in the header Connection.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-9.3">RFC 9112, 9.3 Persistence</a>
 */
final class ConnectionOptions {
    private static final byte[] KEEP_ALIVE_BYTES = "keep-alive".getBytes(StandardCharsets.US_ASCII);
    private static final List<String> KEEP_ALIVE = List.of("keep-alive");

    private ConnectionOptions() {}

    /** Returns the values of Connection in the head of a message. Allocates nothing for the most frequent value. */
    static List<String> of(HttpHeaders headers) {
        return headers instanceof FlatHeaders flat && flat.isOnly(HttpHeaderNames.CONNECTION, KEEP_ALIVE_BYTES)
                ? KEEP_ALIVE
                : headers.getAll(HttpHeaderNames.CONNECTION);
    }

    /** Returns whether the connection is persistent, given the version and the Connection headers of a message. */
    static boolean persistent(boolean http10, List<String> fields) {
        if (fields == KEEP_ALIVE) {
            return true;
        }
        if (fields.isEmpty()) {
            return !http10;
        }
        boolean keepAlive = false;
        for (String field : fields) {
            if (FieldTokens.contains(field, "close")) {
                return false;
            }
            keepAlive |= FieldTokens.contains(field, "keep-alive");
        }
        return !http10 || keepAlive;
    }
}
