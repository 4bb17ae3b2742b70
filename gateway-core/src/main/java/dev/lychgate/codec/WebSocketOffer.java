package dev.lychgate.codec;

import dev.lychgate.http.RequestHead;
import dev.lychgate.http.WebSocket;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's WebSocket handshake with an HTTP/1.1 origin: offers a generated key and validates a 101 response. The
 * bytes after an invalid 101 response must not be processed as a WebSocket.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455#section-4.1">RFC 6455, 4.1 Client Requirements</a>
 */
public final class WebSocketOffer {
    final String key;
    private final WebSocketTerms terms;

    /**
     * Creates an offer: removes the client's key from the request, and sets the version of the protocol.
     *
     * @param request the request in its final form for the origin
     * @param high the first half of a random nonce
     * @param low the second half of the nonce
     */
    public WebSocketOffer(RequestHead request, long high, long low) {
        HttpHeaders headers = request.headers();
        headers.remove(HttpHeaderNames.SEC_WEBSOCKET_KEY);
        headers.set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, WebSocket.VERSION);
        this.key = WebSocket.key(high, low);
        this.terms = new WebSocketTerms(headers);
    }

    /**
     * Returns the reason why a 101 response is invalid; null if the response accepts the offer.
     *
     * @param headers the headers of the response, including hop-by-hop headers
     */
    @Nullable
    String fault(HttpHeaders headers, boolean http10) {
        if (http10) {
            return "the origin sent a 101 response in HTTP/1.0";
        }
        if (!isOnly(headers.getAll(HttpHeaderNames.UPGRADE), WebSocket.PROTOCOL)
                || !FieldTokens.contain(headers.getAll(HttpHeaderNames.CONNECTION), "upgrade")) {
            return "the 101 response does not switch to the WebSocket protocol";
        }
        List<String> accepts = headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT);
        if (accepts.size() != 1 || !accepts.get(0).equals(WebSocket.accept(key))) {
            return "the 101 response has no Sec-WebSocket-Accept, or its value does not match the key";
        }
        return terms.fault(headers);
    }

    private static boolean isOnly(List<String> fields, String value) {
        return fields.size() == 1 && fields.get(0).trim().equalsIgnoreCase(value);
    }
}
