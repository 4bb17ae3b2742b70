package dev.lychgate.origin;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.Grpc;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.WebSocket;
import dev.lychgate.http2.OutgoingFields;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;

/**
 * Encodes a request head as HTTP/2 header fields.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-8.3.1">RFC 9113, 8.3.1 Request Pseudo-Header Fields</a>
 */
final class RequestFields {
    private static final AsciiString HTTP = AsciiString.cached("http");
    private static final AsciiString HTTPS = AsciiString.cached("https");

    private RequestFields() {}

    /**
     * Encodes {@code head} into {@code fields}, which must be an empty header block.
     *
     * @param secure whether the connection uses TLS
     */
    static OutgoingFields of(OutgoingFields fields, RequestHead head, String path, boolean secure) {
        fields.field(":method", head.method().asciiName());
        target(fields, head, path, secure);
        if (head.framing() == BodyFraming.LENGTH) {
            fields.field(HttpHeaderNames.CONTENT_LENGTH, Long.toString(head.contentLength()));
        }
        if (Grpc.is(head.headers().get(HttpHeaderNames.CONTENT_TYPE))) {
            // gRPC servers check for TE: trailers, because gRPC sends its status as a trailer.
            fields.field(HttpHeaderNames.TE, HttpHeaderValues.TRAILERS);
        }
        return fields;
    }

    /** Encodes an extended CONNECT, which requests a WebSocket (RFC 8441, 4). */
    static OutgoingFields connect(OutgoingFields fields, RequestHead head, String path, boolean secure) {
        fields.field(":method", HttpMethod.CONNECT.asciiName());
        fields.field(":protocol", WebSocket.PROTOCOL);
        target(fields, head, path, secure);
        return fields;
    }

    private static void target(OutgoingFields fields, RequestHead head, String path, boolean secure) {
        String query = head.query();
        fields.field(":scheme", secure ? HTTPS : HTTP);
        fields.field(":authority", String.valueOf(head.headers().get(HttpHeaderNames.HOST)));
        fields.field(":path", query == null ? path : path + '?' + query);
        fields.fields(head.headers(), HttpHeaderNames.HOST);
    }
}
