package dev.lychgate.server.etcd;

import dev.lychgate.server.json.JsonObject;
import dev.lychgate.server.terminal.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A range of etcd keys.
 *
 * @param first the first key
 * @param end the end of the range: the first key that does not belong to the range
 */
public record EtcdRange(String first, String end) {
    /** Returns the range of the keys that begin with a text. */
    public static EtcdRange of(String prefix) {
        int last = prefix.length() - 1;
        return new EtcdRange(prefix, prefix.substring(0, last) + (char) (prefix.charAt(last) + 1));
    }

    /** Returns the JSON members of a request that select the range. */
    public JsonObject json() {
        return new JsonObject().with("key", encoded(first)).with("range_end", encoded(end));
    }

    /** Returns a text in Base64. */
    public static String encoded(String text) {
        return encoded(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns bytes in Base64. */
    public static String encoded(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * Decodes a JSON member of a response from Base64. Returns an empty array if the member is missing.
     *
     * @throws EtcdException if the member is not in Base64
     */
    public static byte[] decoded(JsonValue json, String name) throws EtcdException {
        try {
            return Base64.getDecoder().decode(json.get(name).raw());
        } catch (IllegalArgumentException e) {
            throw new EtcdException(EtcdException.Kind.UNREADABLE, "the response is not in Base64", e);
        }
    }
}
