package dev.lychgate.codec;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Subprotocols and extensions that a handshake offers, over HTTP/1.1 or HTTP/2. Validates the choice in a response that
 * accepts the handshake. Immutable.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455#section-4.1">RFC 6455, 4.1 Client Requirements</a>
 */
public final class WebSocketTerms {
    private final List<String> protocols;
    private final List<String> extensions;

    /**
     * Reads the terms of a handshake.
     *
     * @param request the headers of the handshake in the final form that the origin receives
     */
    public WebSocketTerms(HttpHeaders request) {
        this.protocols = FieldTokens.names(request.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL));
        this.extensions = FieldTokens.names(request.getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS));
    }

    /**
     * Returns an error text if the response chose a subprotocol or an extension that was not offered; null if the
     * choice is valid.
     */
    public @Nullable String fault(HttpHeaders answer) {
        List<String> chosen = answer.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL);
        if (!chosen.isEmpty() && (chosen.size() > 1 || !protocols.contains(chosen.get(0)))) {
            return "the WebSocket response chose a subprotocol that was not offered";
        }
        if (!extensions.containsAll(FieldTokens.names(answer.getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS)))) {
            return "the WebSocket response chose an extension that was not offered";
        }
        return null;
    }
}
