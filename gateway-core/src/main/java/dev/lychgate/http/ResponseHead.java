package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaders;

/**
 * The head of a response: read from an origin or made by the gateway, changed by outbound filters, written to the
 * client. Mutable, owned by its exchange, used on that exchange's event loop only.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-4">RFC 9112, 4 Status Line</a>
 */
public final class ResponseHead {
    private int status;
    private String reason;
    private final HttpHeaders headers;
    private BodyFraming framing = BodyFraming.NONE;
    private long contentLength;
    private int size;

    /**
     * @param status 100 to 599
     * @param reason the reason phrase, may be empty
     * @param headers the fields
     */
    public ResponseHead(int status, String reason, HttpHeaders headers) {
        this.status = status;
        this.reason = reason;
        this.headers = headers;
    }

    /** A head with the standard reason phrase of its status. */
    public ResponseHead(int status, HttpHeaders headers) {
        this(status, ReasonPhrases.of(status), headers);
    }

    public int status() {
        return status;
    }

    /** Replaces the status; the reason phrase becomes the standard one of the new status. */
    public void status(int changed) {
        this.status = changed;
        this.reason = ReasonPhrases.of(changed);
    }

    public String reason() {
        return reason;
    }

    public HttpHeaders headers() {
        return headers;
    }

    /** Whether this is an interim answer (1xx) that another head will follow. */
    public boolean isInformational() {
        return status < 200 && !isTunnel();
    }

    /**
     * Whether this grants the protocol that was asked for. Its status is 101 then, whatever says so on the wire, and its
     * fields are free of what belongs to one connection's handshake.
     */
    public boolean isTunnel() {
        return framing == BodyFraming.TUNNEL;
    }

    public BodyFraming framing() {
        return framing;
    }

    /** Length of the body in bytes where {@link #framing()} is {@link BodyFraming#LENGTH}, else 0. */
    public long contentLength() {
        return contentLength;
    }

    /** Size of the head as the origin sent it, status line and fields, in bytes; 0 if the gateway made it. */
    public int size() {
        return size;
    }

    /** Sets the size of the head as the origin sent it, in bytes. */
    public void size(int bytes) {
        this.size = bytes;
    }

    /** Says how the body is framed; {@code length} counts only for {@link BodyFraming#LENGTH}. */
    public void frame(BodyFraming bodyFraming, long length) {
        this.framing = bodyFraming;
        this.contentLength = length;
    }
}
