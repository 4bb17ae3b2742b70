package dev.lychgate.http2;

import dev.lychgate.codec.WebSocketRequest;
import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.WebSocket;
import io.netty.util.AsciiString;

/**
 * Validates a client's extended CONNECT and converts it to the equivalent HTTP/1.1 upgrade request, a GET for a
 * WebSocket. Routes, filters and origins therefore handle WebSocket handshakes over HTTP/2 and over HTTP/1.1 in the
 * same way.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8441#section-4">RFC 8441, 4 The Extended CONNECT Method</a>
 */
final class ExtendedConnect {
    /** Method of the converted request. */
    static final AsciiString SEEN_AS = AsciiString.cached("GET");

    private ExtendedConnect() {}

    /**
     * Converts a valid extended CONNECT to a GET that upgrades to {@code protocol}, or rejects the request.
     *
     * @param request request with validated target and headers
     * @param end whether the stream has ended with its head
     */
    static ReceivedRequest of(AsciiString protocol, ReceivedRequest request, boolean end) {
        RequestHead head = request.head();
        if (head == null) {
            return request;
        }
        if (!protocol.contentEqualsIgnoreCase(WebSocket.PROTOCOL)) {
            return ReceivedRequest.refused(GatewayError.downstream(
                    ErrorKind.NOT_IMPLEMENTED, "websocket is the only supported protocol of extended CONNECT"));
        }
        if (head.contentLength() > 0) {
            return refused("a WebSocket handshake must not have a body");
        }
        if (end) {
            return refused("a WebSocket handshake must not end the stream");
        }
        GatewayError version = WebSocketRequest.versionFault(head.headers());
        if (version != null) {
            return ReceivedRequest.refused(version);
        }
        // A key has no function in HTTP/2 (RFC 8441, 5.1), and must not be mistaken for the gateway's own key.
        WebSocketRequest.take(head);
        return request;
    }

    private static ReceivedRequest refused(String detail) {
        return ReceivedRequest.refused(GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, detail));
    }
}
