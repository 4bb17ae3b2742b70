package dev.lychgate.error;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.JsonText;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http.WebSocket;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;

/**
 * Maps failures to HTTP responses, in one place for the whole gateway. A response is {@code application/problem+json}
 * with a stable type, a title, the status, a sentence that describes the failure, and the request id. Responses contain
 * neither internal details nor text from the client or the origin.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457 Problem Details for HTTP APIs</a>
 */
public final class ErrorResponses {
    /** The logged status of an exchange whose client disconnected before the response. This status is never sent. */
    public static final int CLIENT_CLOSED_REQUEST = 499;

    private static final AsciiString PROBLEM_JSON = AsciiString.cached("application/problem+json");
    private static final AsciiString NO_STORE = AsciiString.cached("no-store");
    private static final AsciiString RETRY_SOON = AsciiString.cached("1");
    /** The methods that are forwarded, as a value of {@code Allow}. CONNECT is not forwarded. */
    public static final AsciiString ALLOWED = AsciiString.cached("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE");

    private ErrorResponses() {}

    /**
     * Creates the response body. {@link #head} needs the length of this body. The body is allocated on the heap, so
     * that a response can report a lack of direct memory. The caller owns the body.
     */
    public static ByteBuf body(GatewayError error, String requestId) {
        int status = error.getStatus();
        String title = HttpResponseStatus.valueOf(status).reasonPhrase();
        // Labels need no escaping, and request ids are validated on receipt. The sentence is escaped, because it may
        // come from a filter.
        String json = "{\"type\":\"urn:lychgate:problem:" + error.kind().label() + "\",\"title\":\"" + title
                + "\",\"status\":" + status + ",\"detail\":\"" + JsonText.escape(detail(error)) + "\",\"request-id\":\""
                + requestId + "\"}\n";
        return Unpooled.wrappedBuffer(json.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the sentence for the client. Details of internal errors are only logged. */
    static String detail(GatewayError error) {
        return error.kind() == ErrorKind.INTERNAL ? "the gateway failed to handle the request" : error.detail();
    }

    /**
     * Creates the response head.
     *
     * @param length the length of the body, in bytes
     */
    public static ResponseHead head(GatewayError error, int length) {
        return head(error, length, 1);
    }

    /**
     * Creates the response head.
     *
     * @param length the length of the body, in bytes
     * @param retryAfter the value of {@code Retry-After} in responses with status 503 or 429, in seconds
     */
    public static ResponseHead head(GatewayError error, int length, int retryAfter) {
        int status = error.getStatus();
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        headers.add(HttpHeaderNames.CONTENT_TYPE, PROBLEM_JSON);
        headers.add(HttpHeaderNames.CACHE_CONTROL, NO_STORE);
        if (status == 503 || status == 429) {
            headers.add(HttpHeaderNames.RETRY_AFTER, retryAfter == 1 ? RETRY_SOON : Integer.toString(retryAfter));
        } else if (status == 405) {
            headers.add(HttpHeaderNames.ALLOW, ALLOWED);
        } else if (status == 426) {
            // A 426 names the required protocol (RFC 9110, 15.5.22; RFC 6455, 4.4).
            headers.add(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE);
            headers.add(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
            headers.add(HttpHeaderNames.SEC_WEBSOCKET_VERSION, WebSocket.VERSION);
        }
        ResponseHead head =
                new ResponseHead(status, HttpResponseStatus.valueOf(status).reasonPhrase(), headers);
        head.frame(BodyFraming.LENGTH, length);
        return head;
    }
}
