package dev.lychgate.exchange;

import dev.lychgate.error.ErrorResponses;
import dev.lychgate.http.HttpBytes;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decrements the {@code Max-Forwards} header of OPTIONS and TRACE requests. If the value is zero, responds instead of
 * the origin.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-7.6.2">RFC 9110, 7.6.2 Max-Forwards</a>
 */
final class FinalRecipient {
    private static final AsciiString MESSAGE_HTTP = AsciiString.cached("message/http");
    /** Maximum number of digits in {@code Max-Forwards}. {@link Integer#MAX_VALUE} replaces longer values. */
    private static final int LONGEST_COUNT = 9;

    private FinalRecipient() {}

    /**
     * Returns the response to {@code request} if this request must not be forwarded. If it may be forwarded, decrements
     * its {@code Max-Forwards}, if present, and returns null.
     */
    static LocalResponses.@Nullable LocalResponse answer(RequestHead request) {
        HttpMethod method = request.method();
        boolean options = method.equals(HttpMethod.OPTIONS);
        if (!options && !method.equals(HttpMethod.TRACE)) {
            return null;
        }
        String given = request.headers().get(HttpHeaderNames.MAX_FORWARDS);
        int left = given == null ? -1 : count(given);
        if (left < 0) {
            return null;
        }
        if (left > 0) {
            request.headers().set(HttpHeaderNames.MAX_FORWARDS, Integer.toString(left - 1));
            return null;
        }
        return options ? options() : trace(request);
    }

    /** Returns the value as a number; -1 if the value is malformed and therefore ignored. */
    private static int count(String given) {
        if (!HttpBytes.isDigits(given)) {
            return -1;
        }
        return given.length() > LONGEST_COUNT ? Integer.MAX_VALUE : Integer.parseInt(given);
    }

    private static LocalResponses.LocalResponse options() {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        headers.add(HttpHeaderNames.ALLOW, ErrorResponses.ALLOWED);
        return new LocalResponses.LocalResponse(new ResponseHead(200, "OK", headers), Unpooled.EMPTY_BUFFER);
    }

    /** Returns a response that contains the received request without confidential header fields (RFC 9110, 9.3.8). */
    private static LocalResponses.LocalResponse trace(RequestHead request) {
        StringBuilder echo = new StringBuilder(256).append("TRACE ").append(request.rawPath());
        if (request.query() != null) {
            echo.append('?').append(request.query());
        }
        echo.append(' ').append(request.version().text()).append("\r\n");
        Iterator<Map.Entry<CharSequence, CharSequence>> fields =
                request.headers().iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            if (!isSecret(field.getKey())) {
                echo.append(field.getKey())
                        .append(": ")
                        .append(field.getValue())
                        .append("\r\n");
            }
        }
        ByteBuf body = Unpooled.copiedBuffer(echo.append("\r\n"), StandardCharsets.ISO_8859_1);
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        headers.add(HttpHeaderNames.CONTENT_TYPE, MESSAGE_HTTP);
        return new LocalResponses.LocalResponse(new ResponseHead(200, "OK", headers), body);
    }

    private static boolean isSecret(CharSequence name) {
        return HttpHeaderNames.AUTHORIZATION.contentEqualsIgnoreCase(name)
                || HttpHeaderNames.PROXY_AUTHORIZATION.contentEqualsIgnoreCase(name)
                || HttpHeaderNames.COOKIE.contentEqualsIgnoreCase(name);
    }
}
