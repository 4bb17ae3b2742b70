package dev.lychgate.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * The head of a response. The head is read from an origin or created by the gateway, changed by outbound filters, and
 * written to the client. Mutable, owned by its exchange, and used only on that exchange's event loop.
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

    /** Creates a head with the standard reason phrase of its status. */
    public ResponseHead(int status, HttpHeaders headers) {
        this(status, HttpResponseStatus.valueOf(status).reasonPhrase(), headers);
    }

    public int status() {
        return status;
    }

    /** Replaces the status, and sets the standard reason phrase of the new status. */
    public void status(int changed) {
        this.status = changed;
        this.reason = HttpResponseStatus.valueOf(changed).reasonPhrase();
    }

    public String reason() {
        return reason;
    }

    /** Returns whether this is an interim response (1xx), which another head follows. */
    public boolean isInformational() {
        return status < 200 && !isTunnel();
    }

    /**
     * Returns whether this response accepts the requested protocol. The status of such a response is 101, even if it
     * arrived in HTTP/2, and its fields do not include the handshake fields that belong to one connection.
     */
    public boolean isTunnel() {
        return framing() == BodyFraming.TUNNEL;
    }
}
