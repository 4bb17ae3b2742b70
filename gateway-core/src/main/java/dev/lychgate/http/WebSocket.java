package dev.lychgate.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The values of a WebSocket handshake, which the gateway uses both towards clients and towards origins.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455#section-4">RFC 6455, 4 Opening Handshake</a>
 */
public final class WebSocket {
    /** The value of {@link RequestHead#protocol()} for a WebSocket request. */
    public static final String PROTOCOL = "websocket";
    /** The only supported version of the WebSocket protocol. */
    public static final String VERSION = "13";

    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int KEY_BYTES = 16;
    private static final int KEY_CHARS = 24;

    private WebSocket() {}

    /** Returns whether {@code text} is a valid Sec-WebSocket-Key: 16 bytes in Base64. */
    public static boolean isKey(String text) {
        if (text.length() != KEY_CHARS) {
            return false;
        }
        try {
            return Base64.getDecoder().decode(text).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Encodes 16 random bytes, given as two numbers, as a Sec-WebSocket-Key. */
    public static String key(long high, long low) {
        byte[] bytes = ByteBuffer.allocate(KEY_BYTES).putLong(high).putLong(low).array();
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Returns the value of Sec-WebSocket-Accept for {@code key}. */
    public static String accept(String key) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            return Base64.getEncoder().encodeToString(sha1.digest((key + GUID).getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
