package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.Authority;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.HopByHopHeaders;
import dev.lychgate.http.RequestHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link RequestHead} of Netty's request, or says why it must be refused. The grammar of lines
 * and fields is the {@link HeadScanner}'s, framing is Netty's; versions, targets and Host are looked at here.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-3">RFC 9112, 3 Request Line</a>
 */
final class RequestHeadReader {
    private static final int HTTPS = 8;

    private final boolean encrypted;
    private @Nullable GatewayError fault;
    private @Nullable String webSocketKey;

    /** @param encrypted whether TLS is spoken on the connection */
    RequestHeadReader(boolean encrypted) {
        this.encrypted = encrypted;
    }

    /** Why {@link #read} returned null. */
    GatewayError fault() {
        GatewayError f = fault;
        return f != null ? f : GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "not a valid HTTP request");
    }

    /** The client's key of the handshake that was read last; null if there was none. */
    @Nullable
    String webSocketKey() {
        return webSocketKey;
    }

    /** The head, or null: {@link #fault()} then says why. @param connection its {@link #connectionOptions} */
    @Nullable
    RequestHead read(HttpRequest request, List<String> connection) {
        fault = null;
        if (request.decoderResult().isFailure()) {
            return refuse(classify(request.decoderResult().cause()));
        }
        HttpVersion version = request.protocolVersion();
        if (version.majorVersion() != 1) {
            return refuse(ErrorKind.VERSION_NOT_SUPPORTED, "only HTTP/1.0 and HTTP/1.1 are spoken here");
        }
        // A later minor version is understood as the highest we know (RFC 9110, 2.5).
        boolean http10 = version.minorVersion() == 0;
        HttpHeaders headers = request.headers();
        RequestHead head = readTarget(request.method(), http10, request.uri(), headers);
        if (head == null || !readFraming(head, headers)) {
            return null;
        }
        String expect = headers.get(HttpHeaderNames.EXPECT);
        if (expect != null) {
            if (http10) {
                headers.remove(HttpHeaderNames.EXPECT);
            } else if (!isContinueOnly(expect, headers)) {
                return refuse(ErrorKind.EXPECTATION_FAILED, "only 100-continue can be expected");
            }
        }
        boolean webSocket = !connection.isEmpty() && !http10 && WebSocketRequest.isAsked(connection, headers);
        HopByHopHeaders.strip(headers);
        return webSocket ? handshake(head) : head;
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
            return refuse(ErrorKind.METHOD_NOT_ALLOWED, "CONNECT is not served here");
        }
        String host = readHost(http10, headers);
        if (host == null) {
            return null;
        }
        String path = target;
        if (target.isEmpty() || target.charAt(0) != '/') {
            if (target.equals("*")) {
                return method.equals(HttpMethod.OPTIONS)
                        ? new RequestHead(method, http10, "*", null, host, headers)
                        : refuse(ErrorKind.MALFORMED_REQUEST, "only OPTIONS may ask for *");
            }
            int authority = schemeLength(target);
            if (authority < 0) {
                return refuse(ErrorKind.MALFORMED_REQUEST, "the request target is neither a path nor an http URL");
            }
            if ((authority == HTTPS) != encrypted) {
                // The client believes that this connection is what it is not (RFC 9110, 7.4).
                return refuse(
                        ErrorKind.MISDIRECTED_REQUEST,
                        encrypted
                                ? "http was asked for on a connection that is encrypted"
                                : "https was asked for on a connection that is not encrypted");
            }
            // Absolute form: its authority takes the place of Host (RFC 9112, 3.2.2).
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
            return refuse(ErrorKind.MALFORMED_REQUEST, "a request target has no fragment");
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
            return http10 ? "" : refuseHost("HTTP/1.1 requests carry a Host field");
        }
        if (!Authority.isValid(host)) {
            return refuseHost("the Host field is not a valid host");
        }
        // Asking for all of them costs a list: only where there may be more than one.
        if (headers.size() > 1 && headers.getAll(HttpHeaderNames.HOST).size() > 1) {
            return refuseHost("more than one Host field");
        }
        return host;
    }

    private boolean readFraming(RequestHead head, HttpHeaders headers) {
        String coding = headers.get(HttpHeaderNames.TRANSFER_ENCODING);
        if (coding != null) {
            if (head.isHttp10()) {
                // Faulty framing: whoever sent this passed on a message that it did not understand (RFC 9112, 6.1).
                refuse(ErrorKind.MALFORMED_REQUEST, "HTTP/1.0 has no transfer codings");
                return false;
            }
            if (!coding.equalsIgnoreCase("chunked")
                    || headers.getAll(HttpHeaderNames.TRANSFER_ENCODING).size() > 1) {
                refuse(ErrorKind.NOT_IMPLEMENTED, "chunked is the only transfer coding");
                return false;
            }
            head.frame(BodyFraming.CHUNKED, 0);
            return true;
        }
        String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        if (length != null) {
            head.frame(BodyFraming.LENGTH, Long.parseLong(length));
            headers.remove(HttpHeaderNames.CONTENT_LENGTH);
        }
        return true;
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

    private static GatewayError classify(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return GatewayError.downstream(ErrorKind.URI_TOO_LONG, "the request line is too long");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return GatewayError.downstream(ErrorKind.HEADERS_TOO_LARGE, "the header section is too large");
        }
        return GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request head is not valid HTTP");
    }

    /** The Connection fields; call before hop-by-hop fields are stripped. */
    static List<String> connectionOptions(HttpRequest request) {
        return request.headers().getAll(HttpHeaderNames.CONNECTION);
    }

    /** Whether the client means to use the connection again. @param options its {@link #connectionOptions} */
    static boolean isPersistent(HttpRequest request, List<String> options) {
        boolean http10 = request.protocolVersion().minorVersion() == 0;
        return ConnectionOptions.persistent(http10, options);
    }
}
