package dev.lychgate.http2;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.Authority;
import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.HopByHopHeaders;
import dev.lychgate.http.HttpBytes;
import dev.lychgate.http.HttpVersion;
import dev.lychgate.http.Methods;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http2.HeaderFields.Pseudo;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * Converts a header block to a {@link RequestHead}, or rejects the block. The target, the authority and every header of
 * an accepted request satisfy the rules of HTTP/1.1, so that an HTTP/1.1 origin interprets the request in the same way
 * as the gateway. If the block ends the stream, Content-Length must not announce a body.
 *
 * @param targetLimit maximum length of a path with its query, in bytes
 * @param secure whether the client uses TLS
 * @param trusted whether the peer is a trusted proxy, so that the client behind it may have used TLS
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-8.3.1">RFC 9113, 8.3.1 Request Pseudo-Header Fields</a>
 */
record RequestHeads(int targetLimit, boolean secure, boolean trusted) {
    private static final HttpHeadersFactory CHECKED =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);
    private static final AsciiString CONTENT_LENGTH = HttpHeaderNames.CONTENT_LENGTH;
    private static final AsciiString CONTENT_TYPE = HttpHeaderNames.CONTENT_TYPE;
    private static final AsciiString COOKIE = HttpHeaderNames.COOKIE;
    private static final AsciiString HOST = HttpHeaderNames.HOST;
    private static final AsciiString EXPECT = HttpHeaderNames.EXPECT;
    /** Maximum number of digits of Content-Length. Some numbers with more digits do not fit into 64 bits. */
    private static final int MOST_DIGITS = 18;

    /**
     * Reads the header block of a request.
     *
     * @param end whether the stream has ended with this block
     */
    ReceivedRequest read(HeaderFields fields, boolean end) {
        if (fields.isTooLarge()) {
            return refused(ErrorKind.HEADERS_TOO_LARGE, "the header section is too large");
        }
        String fault = fields.malformed();
        if (fault != null) {
            return malformed(fault);
        }
        AsciiString method = fields.pseudo(Pseudo.METHOD);
        if (method == null || fields.pseudo(Pseudo.STATUS) != null || !isToken(method)) {
            return malformed("the request has no valid :method pseudo-header, or has a :status pseudo-header");
        }
        if (method.length() > Methods.LONGEST) {
            return refused(ErrorKind.NOT_IMPLEMENTED, "the method is too long");
        }
        AsciiString protocol = fields.pseudo(Pseudo.PROTOCOL);
        boolean connect = method.contentEquals("CONNECT");
        if (connect && protocol == null) {
            return connect(fields);
        }
        if (protocol != null && !(connect && isToken(protocol))) {
            return malformed("the :protocol pseudo-header is malformed, or the method is not CONNECT");
        }
        AsciiString scheme = fields.pseudo(Pseudo.SCHEME);
        AsciiString path = fields.pseudo(Pseudo.PATH);
        if (scheme == null || scheme.isEmpty() || path == null || path.isEmpty()) {
            return malformed("the request has no :scheme or no :path pseudo-header");
        }
        boolean https = scheme.contentEqualsIgnoreCase("https");
        if (!https && !scheme.contentEqualsIgnoreCase("http")) {
            return malformed("the scheme of the request is neither http nor https");
        }
        if (https != secure && !(https && trusted)) {
            // The request is intended for another connection (RFC 9110, 7.4).
            return refused(
                    ErrorKind.MISDIRECTED_REQUEST,
                    secure
                            ? "the request has scheme http, but the connection is encrypted"
                            : "the request has scheme https, but the connection is not encrypted");
        }
        if (protocol != null) {
            return ExtendedConnect.of(protocol, target(fields, ExtendedConnect.SEEN_AS, path, end), end);
        }
        return target(fields, method, path, end);
    }

    private static ReceivedRequest connect(HeaderFields fields) {
        if (fields.pseudo(Pseudo.AUTHORITY) == null) {
            return malformed("the CONNECT request has no :authority pseudo-header");
        }
        if (fields.pseudo(Pseudo.SCHEME) != null || fields.pseudo(Pseudo.PATH) != null) {
            return malformed("the CONNECT request has a :scheme or :path pseudo-header");
        }
        return refused(ErrorKind.METHOD_NOT_ALLOWED, "CONNECT is not supported");
    }

    private ReceivedRequest target(HeaderFields fields, AsciiString method, AsciiString path, boolean end) {
        if (path.length() > targetLimit) {
            return refused(ErrorKind.URI_TOO_LONG, "the path is too long");
        }
        int from = path.arrayOffset();
        boolean visible = HttpBytes.endOfVisible(path.array(), from, from + path.length()) == from + path.length();
        boolean asterisk = path.contentEquals("*") && method.contentEquals("OPTIONS");
        if (!visible || path.indexOf("#") >= 0 || (path.byteAt(0) != '/' && !asterisk)) {
            return malformed("the path of the request is malformed");
        }
        String host = host(fields);
        if (host == null) {
            return malformed(
                    ErrorKind.BAD_HOST, "the host of the request is missing, malformed, repeated or contradictory");
        }
        String target = path.toString();
        int question = target.indexOf('?');
        RequestHead head = new RequestHead(
                HttpMethod.valueOf(method.toString()),
                HttpVersion.HTTP_2,
                question < 0 ? target : target.substring(0, question),
                question < 0 ? null : target.substring(question + 1),
                host,
                CHECKED.newHeaders());
        return fill(head, fields, end);
    }

    /**
     * Returns the host from the authority or from a single Host header. Returns null if authority and Host are both
     * missing, if they differ, if Host is repeated, or if the host is invalid.
     */
    private static @Nullable String host(HeaderFields fields) {
        AsciiString authority = fields.pseudo(Pseudo.AUTHORITY);
        AsciiString host = null;
        for (int i = 0; i < fields.size(); i++) {
            if (HOST.contentEquals(fields.name(i))) {
                if (host != null) {
                    return null;
                }
                host = fields.value(i);
            }
        }
        if (authority != null && host != null && !authority.contentEqualsIgnoreCase(host)) {
            return null;
        }
        AsciiString either = host != null ? host : authority;
        return either != null && Authority.isValid(either.toString()) ? either.toString() : null;
    }

    private static ReceivedRequest fill(RequestHead head, HeaderFields fields, boolean end) {
        HttpHeaders headers = head.headers();
        headers.add(HOST, head.host());
        AsciiString length = null;
        AsciiString type = null;
        StringBuilder crumbs = null;
        int size = head.rawPath().length();
        for (int i = 0; i < fields.size(); i++) {
            AsciiString name = fields.name(i);
            AsciiString value = fields.value(i);
            size += name.length() + value.length();
            if (CONTENT_LENGTH.contentEquals(name)) {
                if (length != null || !isNumber(value)) {
                    return malformed("Content-Length is malformed or occurs twice");
                }
                length = value;
            } else if (COOKIE.contentEquals(name)) {
                crumbs = crumbs == null ? new StringBuilder(value.length() + 64) : crumbs.append("; ");
                crumbs.append(value);
            } else if (!HOST.contentEquals(name)) {
                if (CONTENT_TYPE.contentEquals(name)) {
                    if (type != null && !type.contentEquals(value)) {
                        return refused(
                                ErrorKind.MALFORMED_REQUEST, "the request has several different Content-Type headers");
                    }
                    type = value;
                }
                headers.add(name, value);
            }
        }
        if (crumbs != null) {
            headers.add(COOKIE, crumbs.toString());
        }
        head.size(size);
        HopByHopHeaders.strip(headers);
        if (length != null) {
            head.frame(BodyFraming.LENGTH, length.parseLong());
        } else if (!end) {
            head.frame(BodyFraming.CHUNKED, 0);
        }
        if (end && head.contentLength() > 0) {
            return malformed("the request has no body, but Content-Length announces a body");
        }
        String expect = headers.get(EXPECT);
        if (expect != null
                && !(expect.equalsIgnoreCase("100-continue")
                        && headers.getAll(EXPECT).size() == 1)) {
            return refused(ErrorKind.EXPECTATION_FAILED, "100-continue is the only supported expectation");
        }
        return ReceivedRequest.of(head);
    }

    static boolean isNumber(AsciiString value) {
        return value.length() <= MOST_DIGITS && HttpBytes.isDigits(value);
    }

    private static boolean isToken(AsciiString text) {
        int from = text.arrayOffset();
        int end = from + text.length();
        return !text.isEmpty() && HttpBytes.endOfToken(text.array(), from, end) == end;
    }

    private static ReceivedRequest malformed(String detail) {
        return malformed(ErrorKind.MALFORMED_REQUEST, detail);
    }

    private static ReceivedRequest malformed(ErrorKind kind, String detail) {
        return ReceivedRequest.malformed(GatewayError.downstream(kind, detail));
    }

    private static ReceivedRequest refused(ErrorKind kind, String detail) {
        return ReceivedRequest.refused(GatewayError.downstream(kind, detail));
    }
}
