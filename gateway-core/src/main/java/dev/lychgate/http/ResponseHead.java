package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * The head of a response: read from an origin or made by the gateway, changed by outbound filters, written to the
 * client. Mutable, owned by its exchange, used on that exchange's event loop only.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-4">RFC 9112, 4 Status Line</a>
 */
public final class ResponseHead extends MessageHead {
    private int status;
    private String reason;

    /**
     * @param status 100 to 599
     * @param reason the reason phrase, may be empty
     * @param headers the fields
     */
    public ResponseHead(int status, String reason, HttpHeaders headers) {
        super(headers);
        this.status = status;
        this.reason = reason;
    }

    /** A head with the standard reason phrase of its status. */
    public ResponseHead(int status, HttpHeaders headers) {
        this(status, HttpResponseStatus.valueOf(status).reasonPhrase(), headers);
    }

    public int status() {
        return status;
    }

    /** Replaces the status; the reason phrase becomes the standard one of the new status. */
    public void status(int changed) {
        this.status = changed;
        this.reason = HttpResponseStatus.valueOf(changed).reasonPhrase();
    }

    public String reason() {
        return reason;
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
        return framing() == BodyFraming.TUNNEL;
    }
}
