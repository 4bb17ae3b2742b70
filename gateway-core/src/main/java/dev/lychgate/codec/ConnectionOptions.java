package dev.lychgate.codec;

import java.util.List;

/**
 * What the Connection field says about keeping a connection.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-9.3">RFC 9112, 9.3 Persistence</a>
 */
final class ConnectionOptions {
    private ConnectionOptions() {}

    /** Whether a message of this version with these Connection fields leaves the connection open. */
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
