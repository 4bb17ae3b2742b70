package dev.lychgate.http;

/**
 * The framing of a message body on the wire, which determines where the body ends.
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
     * Bytes of another protocol follow the head in both directions, and no further HTTP message follows. Only for
     * responses that accept the protocol that {@link RequestHead#protocol()} requests.
     */
    TUNNEL;

    /**
     * Returns whether a body with this framing is certainly empty. {@code length} is the length in bytes for {@link
     * #LENGTH}.
     */
    public boolean isEmpty(long length) {
        return this == NONE || (this == LENGTH && length == 0);
    }
}
