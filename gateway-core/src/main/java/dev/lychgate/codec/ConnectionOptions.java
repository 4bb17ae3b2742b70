package dev.lychgate.codec;

import java.util.List;

/**
 * Persistence options in the Connection header.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-9.3">RFC 9112, 9.3 Persistence</a>
 */
final class ConnectionOptions {
    private ConnectionOptions() {}

    /** Returns whether the connection is persistent, given the version and the Connection headers of a message. */
    static boolean persistent(boolean http10, List<String> fields) {
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
