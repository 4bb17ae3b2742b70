package dev.lychgate.codec;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one handshake offers besides the WebSocket itself, subprotocols and extensions, and whether an answer that grants it
 * chooses among these. The same over HTTP/1.1 and HTTP/2. Immutable.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455#section-4.1">RFC 6455, 4.1 Client Requirements</a>
 */
public final class WebSocketTerms {
    private final List<String> protocols;
    private final List<String> extensions;

    /** @param request the fields of the handshake, as they go to the origin */
    public WebSocketTerms(HttpHeaders request) {
        this.protocols = FieldTokens.names(request.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL));
        this.extensions = FieldTokens.names(request.getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS));
    }

    /** What an answer with these fields chooses that was not offered, in words; null if there is nothing of that kind. */
    public @Nullable String fault(HttpHeaders answer) {
        List<String> chosen = answer.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL);
        if (!chosen.isEmpty() && (chosen.size() > 1 || !protocols.contains(chosen.get(0)))) {
            return "a WebSocket with a subprotocol that was not offered";
        }
        if (!extensions.containsAll(FieldTokens.names(answer.getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS)))) {
            return "a WebSocket with an extension that was not offered";
        }
        return null;
    }
}
