package dev.lychgate.http;

/**
 * Framing of a message body on the wire, which determines where the body ends.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-6.3">RFC 9112, 6.3 Message Body Length</a>
 */
public enum BodyFraming {
    /** There is no body. */
    NONE,
    /** Exactly {@code Content-Length} bytes. */
    LENGTH,
    /** The chunked transfer coding. */
    CHUNKED,
    /** All bytes until the connection closes; responses only. */
    UNTIL_CLOSE,
    /**
     * No further HTTP message: bytes of another protocol follow the head in both directions. Only for responses that accept
     * the protocol that {@link RequestHead#protocol()} requests.
     */
    TUNNEL;

    /** Returns whether a body with this framing, and with {@code length} bytes if known, is empty. */
    public boolean isEmpty(long length) {
        return this == NONE || (this == LENGTH && length == 0);
    }
}
