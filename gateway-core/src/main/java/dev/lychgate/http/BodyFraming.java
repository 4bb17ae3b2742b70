package dev.lychgate.http;

/**
 * How the end of a message body is found on the wire.
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
    /** Everything until the connection closes; responses only. */
    UNTIL_CLOSE,
    /**
     * There is no message any more: what follows the head, both ways, are the bytes of another protocol. Of an answer only,
     * and only of one that grants what {@link RequestHead#protocol()} has asked for.
     */
    TUNNEL;

    /** Returns whether a body of this framing, and of {@code length} bytes if that is known, has no bytes. */
    public boolean isEmpty(long length) {
        return this == NONE || (this == LENGTH && length == 0);
    }
}
