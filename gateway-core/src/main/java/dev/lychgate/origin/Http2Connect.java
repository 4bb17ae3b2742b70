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
 * The CONNECT that requests a WebSocket from an origin. It waits for the origin's settings, which state whether it may be sent.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8441#section-3">RFC 8441, 3 The SETTINGS_ENABLE_CONNECT_PROTOCOL SETTINGS
 *     Parameter</a>
 */
final class Http2Connect {
    /** The status of a granted CONNECT for everything behind the connection, whichever 2xx grants it. */
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

    /** The origin's settings are there. @param connects whether the origin takes CONNECT for other protocols */
    void onSettled(boolean connects) {
        if (connects) {
            stream.begin(head, path, false);
        } else {
            stream.fail(GatewayError.local(
                    ErrorKind.NOT_IMPLEMENTED, "the origin speaks HTTP/2, and takes no WebSockets over it"));
        }
    }

    /** They won't come any more, or of no use: no stream begins here. */
    void onLost() {
        stream.fail(GatewayError.upstream(
                ErrorKind.ORIGIN_RESET, Retry.UNPROCESSED, "the origin takes nothing more on this connection"));
    }

    /** Makes {@code granted} a response that grants a tunnel. @return why it does not grant what was requested; null if it does */
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
