package dev.lychgate.codec;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;

/**
 * Reads the two headers that frame a body: Content-Length and Transfer-Encoding. Treats ambiguous framing as malformed,
 * even where the RFC permits a repair, because two parsers must not disagree about the start of the next message.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9112#section-6">RFC 9112, 6 Message Body</a>
 */
final class BodyFields {
    /** The message has neither Content-Length nor Transfer-Encoding. */
    static final long ABSENT = -1;
    /** The body is chunked. */
    static final long CHUNKED = -2;
    /** The body is chunked and also has another transfer coding. */
    static final long CODED = -3;
    /** The framing is malformed: Content-Length or Transfer-Encoding is invalid, or the message has both fields. */
    static final long MALFORMED = -4;

    private static final String CHUNKED_CODING = "chunked";

    private BodyFields() {}

    /**
     * Returns the framing of the body: the body length in bytes, or {@link #ABSENT}, {@link #CHUNKED}, {@link #CODED}
     * or {@link #MALFORMED}.
     *
     * @param http11 whether the message is HTTP/1.1; other versions of HTTP/1 have no transfer codings
     */
    static long read(HttpHeaders fields, boolean http11) {
        long length = length(fields);
        String coding = fields.get(HttpHeaderNames.TRANSFER_ENCODING);
        if (coding == null || length == MALFORMED) {
            return length;
        }
        if (!http11 || length != ABSENT) {
            return MALFORMED;
        }
        return coding(fields.getAll(HttpHeaderNames.TRANSFER_ENCODING));
    }

    private static long length(HttpHeaders fields) {
        CharSequence digits = FlatHeaders.view(fields, HttpHeaderNames.CONTENT_LENGTH);
        if (digits == null) {
            return ABSENT;
        }
        if (digits.length() == 0 || FlatHeaders.isRepeated(fields, HttpHeaderNames.CONTENT_LENGTH)) {
            return MALFORMED;
        }
        long length = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9 || length > (Long.MAX_VALUE - digit) / 10) {
                return MALFORMED;
            }
            length = length * 10 + digit;
        }
        return length;
    }

    /**
     * Returns the framing for a Transfer-Encoding. The coding {@code chunked} must be the last coding and must occur
     * once.
     */
    private static long coding(List<String> fields) {
        if (fields.size() == 1 && fields.get(0).equalsIgnoreCase(CHUNKED_CODING)) {
            return CHUNKED;
        }
        int chunked = 0;
        boolean last = false;
        for (String field : fields) {
            for (String element : field.split(",", -1)) {
                String coding = element.trim();
                if (!coding.isEmpty()) {
                    last = coding.equalsIgnoreCase(CHUNKED_CODING);
                    chunked += last ? 1 : 0;
                }
            }
        }
        return last && chunked == 1 ? CODED : MALFORMED;
    }
}
