package dev.lychgate.http2;

import dev.lychgate.codec.WebSocketRequest;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.WebSocket;
import io.netty.util.AsciiString;

/**
 * A client's CONNECT for another protocol on its stream: what is asked for, and what has to be in order then. What comes of
 * it is the request that an Upgrade of HTTP/1.1 would have been, a GET that asks for a WebSocket: routes, filters and origins
 * see no difference.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8441#section-4">RFC 8441, 4 The Extended CONNECT Method</a>
 */
final class ExtendedConnect {
    /** What such a request is to everybody behind the connection. */
    static final AsciiString SEEN_AS = AsciiString.cached("GET");

    private ExtendedConnect() {}

    /**
     * Makes of a request in order one for {@code protocol}, or says why it is not served.
     *
     * @param request read as any other, with a target and fields that are in order, but for its method
     * @param end whether the stream has ended with its head
     */
    static ReceivedRequest of(AsciiString protocol, ReceivedRequest request, boolean end) {
        RequestHead head = request.head();
        if (head == null) {
            return request;
        }
        if (!protocol.contentEqualsIgnoreCase(WebSocket.PROTOCOL)) {
            return ReceivedRequest.refused(GatewayError.downstream(
                    ErrorKind.NOT_IMPLEMENTED, "no protocol but websocket is spoken on a stream here"));
        }
        if (head.contentLength() > 0) {
            return refused("a WebSocket handshake has no body");
        }
        if (end) {
            return refused("a WebSocket that ends with its handshake");
        }
        GatewayError version = WebSocketRequest.versionFault(head.headers());
        if (version != null) {
            return ReceivedRequest.refused(version);
        }
        // A key proves nothing here (RFC 8441, 5.1), and must not pass for one of ours.
        WebSocketRequest.take(head);
        return request;
    }

    private static ReceivedRequest refused(String detail) {
        return ReceivedRequest.refused(GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, detail));
    }
}
