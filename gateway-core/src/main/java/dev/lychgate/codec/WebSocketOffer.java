package dev.lychgate.codec;

import dev.lychgate.http.RequestHead;
import dev.lychgate.http.WebSocket;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Our side of one handshake with an origin over HTTP/1.1: what is asked with a key of our own, and whether an answer of 101
 * grants just that. An origin that says 101 and has not understood is no WebSocket server, and its bytes must not be taken
 * for those of one.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455#section-4.1">RFC 6455, 4.1 Client Requirements</a>
 */
public final class WebSocketOffer {
    final String key;
    private final WebSocketTerms terms;

    /**
     * @param request what is asked, as it goes to the origin
     * @param high half of a random nonce
     * @param low its other half
     */
    public WebSocketOffer(RequestHead request, long high, long low) {
        HttpHeaders headers = request.headers();
        headers.remove(HttpHeaderNames.SEC_WEBSOCKET_KEY);
        headers.set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, WebSocket.VERSION);
        this.key = WebSocket.key(high, low);
        this.terms = new WebSocketTerms(headers);
    }

    /** Why a 101 with {@code headers}, those of its connection included, does not grant what was asked; null if it does. */
    @Nullable
    String fault(HttpHeaders headers, boolean http10) {
        if (http10) {
            return "101 in HTTP/1.0";
        }
        if (!isOnly(headers.getAll(HttpHeaderNames.UPGRADE), WebSocket.PROTOCOL)
                || !FieldTokens.contain(headers.getAll(HttpHeaderNames.CONNECTION), "upgrade")) {
            return "101 that does not switch to the WebSocket protocol";
        }
        List<String> accepts = headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT);
        if (accepts.size() != 1 || !accepts.get(0).equals(WebSocket.accept(key))) {
            return "101 without the Sec-WebSocket-Accept of our key";
        }
        return terms.fault(headers);
    }

    private static boolean isOnly(List<String> fields, String value) {
        return fields.size() == 1 && fields.get(0).trim().equalsIgnoreCase(value);
    }
}
