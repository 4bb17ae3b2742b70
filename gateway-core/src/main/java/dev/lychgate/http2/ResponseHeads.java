package dev.lychgate.http2;

import dev.lychgate.http.BodyFraming;
import dev.lychgate.http.HopByHopHeaders;
import dev.lychgate.http.ResponseHead;
import dev.lychgate.http2.HeaderFields.Pseudo;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * Converts a header block to a {@link ResponseHead}. The framing of the head is the same as in an HTTP/1.1 response to
 * the same request.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-8.3.2">RFC 9113, 8.3.2 Response Pseudo-Header Fields</a>
 */
public final class ResponseHeads {
    private static final HttpHeadersFactory CHECKED =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);
    private static final AsciiString CONTENT_LENGTH = HttpHeaderNames.CONTENT_LENGTH;

    private ResponseHeads() {}

    /**
     * Reads a head.
     *
     * @param toHead whether the request was a HEAD
     * @param end whether the stream has ended with this block
     * @throws Http2Fault if the block is malformed
     */
    public static ResponseHead read(int stream, HeaderFields fields, boolean toHead, boolean end) throws Http2Fault {
        String fault = fields.malformed();
        if (fault == null && fields.isTooLarge()) {
            fault = "the header section is too large";
        }
        int status = fault == null ? status(fields) : 0;
        if (fault == null && (status < 100 || status > 599 || status == 101)) {
            fault = "the status is missing, malformed or not allowed (expected: 100 to 599, except 101)";
        }
        if (fault == null && status < 200 && end) {
            fault = "an interim response ends the stream";
        }
        if (fault != null) {
            throw malformed(stream, fault);
        }
        HttpHeaders headers = CHECKED.newHeaders();
        AsciiString length = null;
        int size = 0;
        for (int i = 0; i < fields.size(); i++) {
            AsciiString name = fields.name(i);
            size += name.length() + fields.value(i).length();
            if (CONTENT_LENGTH.contentEquals(name)) {
                if ((length != null && !length.contentEquals(fields.value(i)))
                        || !RequestHeads.isNumber(fields.value(i))) {
                    throw malformed(stream, "Content-Length is malformed or has two different values");
                }
                length = fields.value(i);
            } else {
                headers.add(name, fields.value(i));
            }
        }
        HopByHopHeaders.strip(headers);
        ResponseHead head = new ResponseHead(status, headers);
        head.size(size);
        if (!frame(head, length, toHead, end)) {
            throw malformed(stream, "the response has no body, but Content-Length announces a body");
        }
        return head;
    }

    /**
     * Sets the framing of a response head.
     *
     * @return false if the framing is contradictory
     */
    private static boolean frame(ResponseHead head, @Nullable AsciiString length, boolean toHead, boolean end) {
        int status = head.status();
        if (status < 200 || status == 204) {
            return true;
        }
        if (toHead || status == 304) {
            if (length != null) {
                // The header is kept, because it describes the body of a response to GET.
                head.headers().add(CONTENT_LENGTH, length);
            }
            return true;
        }
        if (length != null) {
            head.frame(BodyFraming.LENGTH, length.parseLong());
            return !end || head.contentLength() == 0;
        }
        if (end) {
            head.frame(BodyFraming.LENGTH, 0);
        } else {
            head.frame(BodyFraming.CHUNKED, 0);
        }
        return true;
    }

    private static int status(HeaderFields fields) {
        AsciiString status = fields.pseudo(Pseudo.STATUS);
        boolean ofRequest = fields.pseudos() > 1;
        return status == null || ofRequest || status.length() != 3 || !RequestHeads.isNumber(status)
                ? 0
                : status.parseInt();
    }

    private static Http2Fault malformed(int stream, String detail) {
        return Http2Fault.ofStream(stream, Http2Error.PROTOCOL_ERROR, detail);
    }
}
