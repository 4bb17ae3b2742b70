package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.WebSocket;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Detects and validates a client's WebSocket handshake over HTTP/1.1 or HTTP/2. Invalid handshakes are rejected. If an
 * invalid handshake were forwarded, one party could process it as a handshake and another party as a plain request. A
 * client could then smuggle requests. Stateless and thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455#section-4.2.1">RFC 6455, 4.2.1 Reading the Client's Opening
 *     Handshake</a>
 */
public final class WebSocketRequest {
    private WebSocketRequest() {}

    /**
     * Returns whether an HTTP/1.1 request requests a WebSocket. Must be called before hop-by-hop headers are stripped.
     */
    static boolean isAsked(List<String> connection, HttpHeaders headers) {
        return headers.contains(HttpHeaderNames.UPGRADE)
                && FieldTokens.contain(connection, "upgrade")
                && FieldTokens.contain(headers.getAll(HttpHeaderNames.UPGRADE), WebSocket.PROTOCOL);
    }

    /** Returns the reason for rejecting the handshake; null if the handshake is valid. */
    static @Nullable GatewayError fault(RequestHead head) {
        HttpHeaders headers = head.headers();
        List<String> keys = headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_KEY);
        if (!head.method().equals(HttpMethod.GET)) {
            return malformed("a WebSocket handshake requires the method GET");
        }
        if (!head.framing().isEmpty(head.contentLength())) {
            return malformed("a WebSocket handshake must not have a body");
        }
        GatewayError version = versionFault(headers);
        if (version != null) {
            return version;
        }
        if (keys.size() != 1 || !WebSocket.isKey(keys.get(0))) {
            return malformed("a WebSocket handshake requires one Sec-WebSocket-Key of 16 bytes");
        }
        return null;
    }

    /**
     * Returns the error if the WebSocket version is missing, repeated or unsupported; null if the version is supported.
     */
    public static @Nullable GatewayError versionFault(HttpHeaders headers) {
        List<String> versions = headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_VERSION);
        if (versions.size() != 1) {
            return malformed("a WebSocket handshake requires one Sec-WebSocket-Version");
        }
        if (!versions.get(0).equals(WebSocket.VERSION)) {
            return GatewayError.downstream(
                    ErrorKind.WEBSOCKET_VERSION, "only version 13 of the WebSocket protocol is supported");
        }
        return null;
    }

    /**
     * Converts a valid handshake to a request for the WebSocket protocol.
     *
     * @return the client's key; null if there was none
     */
    public static @Nullable String take(RequestHead head) {
        HttpHeaders headers = head.headers();
        String key = headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY);
        headers.remove(HttpHeaderNames.SEC_WEBSOCKET_KEY);
        headers.remove(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT);
        // A handshake has no body, so its sender does not wait for a 100 response.
        headers.remove(HttpHeaderNames.EXPECT);
        head.frame(BodyFraming.NONE, 0);
        head.protocol(WebSocket.PROTOCOL);
        return key;
    }

    private static GatewayError malformed(String detail) {
        return GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, detail);
    }
}
