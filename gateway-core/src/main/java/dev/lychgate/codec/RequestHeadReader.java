package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.Authority;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.HopByHopHeaders;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.SingletonFields;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts the bytes of a head to a {@link RequestHead}, or rejects the head. The {@link HeadScanner} has already
 * validated the syntax of lines and fields. This class validates body framing ({@link BodyFields}), version, target and
 * Host.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-3">RFC 9112, 3 Request Line</a>
 */
final class RequestHeadReader {
    /**
     * The index of the digit of the major version in a text such as {@code HTTP/1.1}. {@code MINOR} is the index of the
     * digit of the minor version.
     */
    private static final int MAJOR = 5;

    private static final int MINOR = 7;
    private static final int HTTPS = 8;
    /**
     * The first of two headers of a WebSocket draft; {@code DRAFT_KEY_2} is the second one. Some recipients expect an
     * eight-byte body without framing after a GET that has both headers. A GET that has both headers, but no framing
     * headers, is therefore rejected.
     */
    private static final AsciiString DRAFT_KEY_1 = AsciiString.cached("sec-websocket-key1");

    private static final AsciiString DRAFT_KEY_2 = AsciiString.cached("sec-websocket-key2");

    private final boolean encrypted;
    private @Nullable GatewayError fault;
    private @Nullable String webSocketKey;

    /**
     * Creates a reader of request heads.
     *
     * @param encrypted whether the connection uses TLS
     */
    RequestHeadReader(boolean encrypted) {
        this.encrypted = encrypted;
    }

    /** Returns the reason why {@link #read} returned null. */
    GatewayError fault() {
        GatewayError f = fault;
        return f != null ? f : GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request is not valid HTTP");
    }

    /** Returns the client's key of the last handshake; null if there was none. */
    @Nullable
    String webSocketKey() {
        return webSocketKey;
    }

    /**
     * Returns the head; null if the head is rejected. After a rejection, {@link #fault()} returns the reason.
     *
     * @param bytes the bytes of the head, beginning with the start line
     * @param index positions within the start line
     * @param headers the headers
     * @param connection the values of Connection in {@code headers}
     */
    @Nullable
    RequestHead read(byte[] bytes, HeadIndex index, HttpHeaders headers, List<String> connection) {
        fault = null;
        int target = index.firstSpace() + 1;
        int version = index.secondSpace() + 1;
        boolean major1 = bytes[version + MAJOR] == '1';
        long body = BodyFields.read(headers, major1 && bytes[version + MINOR] == '1');
        HttpMethod method = method(bytes, index.firstSpace());
        if (body == BodyFields.MALFORMED || (body == BodyFields.ABSENT && hasDraftBody(method, headers))) {
            return refuse(ErrorKind.MALFORMED_REQUEST, "the framing of the request body is ambiguous");
        }
        if (!major1) {
            return refuse(ErrorKind.VERSION_NOT_SUPPORTED, "only HTTP/1.0 and HTTP/1.1 are supported");
        }
        // A later minor version is processed as HTTP/1.1 (RFC 9110, 2.5).
        boolean http10 = bytes[version + MINOR] == '0';
        String uri = new String(bytes, target, version - 1 - target, StandardCharsets.US_ASCII);
        RequestHead head = readTarget(method, http10, uri, headers);
        if (head == null) {
            return null;
        }
        if (body == BodyFields.CODED) {
            return refuse(ErrorKind.NOT_IMPLEMENTED, "chunked is the only supported transfer coding");
        }
        if (body == BodyFields.CHUNKED) {
            head.frame(BodyFraming.CHUNKED, 0);
        } else if (body >= 0) {
            head.frame(BodyFraming.LENGTH, body);
            headers.remove(HttpHeaderNames.CONTENT_LENGTH);
        }
        String expect = headers.get(HttpHeaderNames.EXPECT);
        if (expect != null) {
            if (http10) {
                headers.remove(HttpHeaderNames.EXPECT);
            } else if (!isContinueOnly(expect, headers)) {
                return refuse(ErrorKind.EXPECTATION_FAILED, "100-continue is the only supported expectation");
            }
        }
        boolean webSocket = !connection.isEmpty() && !http10 && WebSocketRequest.isAsked(connection, headers);
        HopByHopHeaders.strip(headers, connection);
        return webSocket ? handshake(head) : head;
    }

    private static HttpMethod method(byte[] head, int length) {
        if (length == 3 && head[0] == 'G' && head[1] == 'E' && head[2] == 'T') {
            return HttpMethod.GET;
        }
        return HttpMethod.valueOf(new String(head, 0, length, StandardCharsets.US_ASCII));
    }

    private static boolean hasDraftBody(HttpMethod method, HttpHeaders headers) {
        return headers.contains(DRAFT_KEY_1) && headers.contains(DRAFT_KEY_2) && method.equals(HttpMethod.GET);
    }

    private @Nullable RequestHead handshake(RequestHead head) {
        GatewayError wrong = WebSocketRequest.fault(head);
        if (wrong != null) {
            return refuse(wrong);
        }
        webSocketKey = WebSocketRequest.take(head);
        return head;
    }

    private static boolean isContinueOnly(String first, HttpHeaders headers) {
        return first.equalsIgnoreCase("100-continue")
                && headers.getAll(HttpHeaderNames.EXPECT).size() == 1;
    }

    private @Nullable RequestHead readTarget(HttpMethod method, boolean http10, String target, HttpHeaders headers) {
        if (method.equals(HttpMethod.CONNECT)) {
            return refuse(ErrorKind.METHOD_NOT_ALLOWED, "CONNECT is not supported");
        }
        String host = readHost(http10, headers);
        if (host == null) {
            return null;
        }
        if (FlatHeaders.isRepeated(headers, HttpHeaderNames.CONTENT_TYPE) && SingletonFields.conflict(headers)) {
            return refuse(ErrorKind.MALFORMED_REQUEST, "the request has several different Content-Type headers");
        }
        String path = target;
        if (target.isEmpty() || target.charAt(0) != '/') {
            if (target.equals("*")) {
                return method.equals(HttpMethod.OPTIONS)
                        ? new RequestHead(method, http10, "*", null, host, headers)
                        : refuse(ErrorKind.MALFORMED_REQUEST, "the request target * requires the method OPTIONS");
            }
            int authority = schemeLength(target);
            if (authority < 0) {
                return refuse(ErrorKind.MALFORMED_REQUEST, "the request target is neither a path nor an http URL");
            }
            if ((authority == HTTPS) != encrypted) {
                // The scheme does not match the connection (RFC 9110, 7.4).
                return refuse(
                        ErrorKind.MISDIRECTED_REQUEST,
                        encrypted
                                ? "the request has scheme http, but the connection is encrypted"
                                : "the request has scheme https, but the connection is not encrypted");
            }
            // Absolute form: the authority of the target replaces Host (RFC 9112, 3.2.2).
            int slash = indexOfPathOrQuery(target, authority);
            host = target.substring(authority, slash);
            if (slash == target.length()) {
                // OPTIONS for a whole host (RFC 9112, 3.2.4).
                path = method.equals(HttpMethod.OPTIONS) ? "*" : "/";
            } else {
                path = target.substring(slash);
            }
            if (path.charAt(0) == '?') {
                path = "/" + path;
            }
            if (!Authority.isValid(host)) {
                return refuse(ErrorKind.BAD_HOST, "the authority of the request target is not a valid host");
            }
            headers.set(HttpHeaderNames.HOST, host);
        }
        if (path.indexOf('#') >= 0) {
            return refuse(ErrorKind.MALFORMED_REQUEST, "the request target has a fragment");
        }
        int question = path.indexOf('?');
        return question < 0
                ? new RequestHead(method, http10, path, null, host, headers)
                : new RequestHead(
                        method, http10, path.substring(0, question), path.substring(question + 1), host, headers);
    }

    private static int schemeLength(String target) {
        if (target.regionMatches(true, 0, "http://", 0, 7)) {
            return 7;
        }
        return target.regionMatches(true, 0, "https://", 0, HTTPS) ? HTTPS : -1;
    }

    private static int indexOfPathOrQuery(String target, int from) {
        for (int i = from; i < target.length(); i++) {
            char c = target.charAt(i);
            if (c == '/' || c == '?') {
                return i;
            }
        }
        return target.length();
    }

    private @Nullable String readHost(boolean http10, HttpHeaders headers) {
        String host = headers.get(HttpHeaderNames.HOST);
        if (host == null) {
            return http10 ? "" : refuseHost("an HTTP/1.1 request requires a Host header");
        }
        if (!Authority.isValid(host)) {
            return refuseHost("the Host header is not a valid host");
        }
        if (FlatHeaders.isRepeated(headers, HttpHeaderNames.HOST)) {
            return refuseHost("the request has more than one Host header");
        }
        return host;
    }

    private @Nullable String refuseHost(String detail) {
        refuse(ErrorKind.BAD_HOST, detail);
        return null;
    }

    private @Nullable RequestHead refuse(ErrorKind kind, String detail) {
        return refuse(GatewayError.downstream(kind, detail));
    }

    private @Nullable RequestHead refuse(GatewayError error) {
        fault = error;
        return null;
    }
}
