package dev.lychgate.origin;

import dev.lychgate.codec.WebSocketTerms;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.error.Retry;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http.WebSocket;
import io.netty.handler.codec.http.HttpHeaderNames;
import org.jspecify.annotations.Nullable;

/**
 * The extended CONNECT by which the gateway requests a WebSocket from an origin. It is sent after the origin's HTTP/2
 * settings have arrived, because the settings state whether the origin accepts an extended CONNECT.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8441#section-3">RFC 8441, 3 The SETTINGS_ENABLE_CONNECT_PROTOCOL
 *     SETTINGS Parameter</a>
 */
final class Http2Connect {
    /** The status that the gateway uses internally for every 2xx response that accepts the CONNECT. */
    private static final int OPENED = 101;

    private final Http2OriginStream stream;
    private final RequestHead head;
    private final String path;
    private final WebSocketTerms terms;

    Http2Connect(Http2OriginStream stream, RequestHead head, String path) {
        this.stream = stream;
        this.head = head;
        this.path = path;
        head.headers().set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, WebSocket.VERSION);
        this.terms = new WebSocketTerms(head.headers());
    }

    /**
     * Handles the HTTP/2 settings of the origin.
     *
     * @param connects whether the origin accepts an extended CONNECT
     */
    void onSettled(boolean connects) {
        if (connects) {
            stream.begin(head, path, false);
        } else {
            stream.fail(GatewayError.local(
                    ErrorKind.NOT_IMPLEMENTED, "the origin uses HTTP/2 and does not accept WebSockets over it"));
        }
    }

    /** Fails the request, because the connection is lost or has received GOAWAY, so that no stream can begin. */
    void onLost() {
        stream.fail(GatewayError.upstream(
                ErrorKind.ORIGIN_RESET, Retry.UNPROCESSED, "the origin accepts no further streams on this connection"));
    }

    /**
     * Turns {@code granted}, the origin's 2xx response, into a response that opens a tunnel.
     *
     * @return the error if the response selects a subprotocol or extension that the request does not offer; null if it
     *     does not
     */
    @Nullable
    GatewayError accept(ResponseHead granted) {
        String fault = terms.fault(granted.headers());
        if (fault != null) {
            return GatewayError.upstream(ErrorKind.MALFORMED_RESPONSE, Retry.NEVER, fault);
        }
        granted.headers().remove(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT);
        granted.status(OPENED);
        granted.frame(BodyFraming.TUNNEL, 0);
        return null;
    }
}
