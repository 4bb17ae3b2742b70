package dev.lychgate.codec;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.HopByHopHeaders;
import dev.lychgate.http.HttpBytes;
import dev.lychgate.http.ResponseHead;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts the bytes of a head to a {@link ResponseHead}, or rejects the head. The {@link HeadScanner} has already
 * validated the syntax of lines and fields.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-6.3">RFC 9112, 6.3 Message Body Length</a>
 */
final class ResponseHeadReader {
    /**
     * The index of the digit of the major version in a status line. {@code MINOR} is the index of the digit of the
     * minor version. {@code STATUS} is the index of the first digit of the status.
     */
    private static final int MAJOR = 5;

    private static final int MINOR = 7;
    private static final int STATUS = 9;

    private String fault = "";

    /** Returns the reason why {@link #read} returned null. */
    String fault() {
        return fault;
    }

    /**
     * Returns the head; null if the head is rejected. After a rejection, {@link #fault()} returns the reason.
     *
     * @param bytes the bytes of the head, beginning with the status line
     * @param index positions within the status line
     * @param headers the headers
     * @param connection the values of Connection in {@code headers}
     * @param toHead whether the request was a HEAD
     * @param offer the request's WebSocket offer; null if there was none
     */
    @Nullable
    ResponseHead read(
            byte[] bytes,
            HeadIndex index,
            HttpHeaders headers,
            List<String> connection,
            boolean toHead,
            @Nullable WebSocketOffer offer) {
        boolean http10 = isHttp10(bytes);
        long body = BodyFields.read(headers, bytes[MAJOR] == '1' && bytes[MINOR] == '1');
        if (body == BodyFields.MALFORMED || body == BodyFields.CODED) {
            return refuse("the framing of the response body is ambiguous");
        }
        int status = (bytes[STATUS] - '0') * 100 + (bytes[STATUS + 1] - '0') * 10 + bytes[STATUS + 2] - '0';
        if (bytes[MAJOR] != '1' || status < 100 || status > 599) {
            return refuse("the status line has major version " + (char) bytes[MAJOR] + " and status " + status
                    + " (expected: major version 1, status 100 to 599)");
        }
        ResponseHead head = new ResponseHead(status, reason(status, bytes, index), headers);
        if (status == 101) {
            // The gateway sends Upgrade only if it offers a WebSocket.
            String wrong = offer == null
                    ? "the origin sent a 101 response, but the request did not ask for an upgrade"
                    : offer.fault(headers, http10);
            if (wrong != null) {
                return refuse(wrong);
            }
        }
        frame(head, body, toHead);
        HopByHopHeaders.strip(headers, connection);
        if (status == 101) {
            headers.remove(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT);
            head.frame(BodyFraming.TUNNEL, 0);
        }
        return head;
    }

    private static void frame(ResponseHead head, long body, boolean toHead) {
        int status = head.status();
        if (status < 200 || status == 204) {
            // These responses have no body and must not carry a length (RFC 9110, 8.6).
            head.headers().remove(HttpHeaderNames.CONTENT_LENGTH);
        } else if (toHead || status == 304) {
            // Content-Length, if present, describes the body of a response to GET, and is kept as a header.
            head.frame(BodyFraming.NONE, 0);
        } else if (body == BodyFields.CHUNKED) {
            head.frame(BodyFraming.CHUNKED, 0);
        } else if (body == BodyFields.ABSENT) {
            head.frame(BodyFraming.UNTIL_CLOSE, 0);
        } else {
            head.frame(BodyFraming.LENGTH, body);
            head.headers().remove(HttpHeaderNames.CONTENT_LENGTH);
        }
    }

    /** Returns the trimmed reason phrase. The standard phrase of the status is not allocated. */
    private static String reason(int status, byte[] head, HeadIndex index) {
        int end = index.endOfStartLine();
        int from = index.secondSpace() > 0 ? index.secondSpace() + 1 : end;
        while (from < end && HttpBytes.isBlank(head[from])) {
            from++;
        }
        while (end > from && HttpBytes.isBlank(head[end - 1])) {
            end--;
        }
        String usual = HttpResponseStatus.valueOf(status).reasonPhrase();
        return isSame(usual, head, from, end) ? usual : new String(head, from, end - from, StandardCharsets.ISO_8859_1);
    }

    private static boolean isSame(String text, byte[] bytes, int from, int end) {
        if (text.length() != end - from) {
            return false;
        }
        int i = from;
        while (i < end && text.charAt(i - from) == bytes[i]) {
            i++;
        }
        return i == end;
    }

    private @Nullable ResponseHead refuse(String detail) {
        fault = detail;
        return null;
    }

    static boolean isHttp10(byte[] head) {
        return head[MINOR] == '0';
    }
}
