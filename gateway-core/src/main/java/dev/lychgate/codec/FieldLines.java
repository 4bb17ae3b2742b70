package dev.lychgate.codec;

import dev.lychgate.http.HttpBytes;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;

/**
 * Converts header lines to Netty's headers. A {@link HeadScanner} has already validated the lines. Used for trailers
 * and for heads that exceed the limits of {@link FlatHeaders}; such messages are rare.
 */
final class FieldLines {
    private static final HttpHeadersFactory CHECKED =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    private FieldLines() {}

    /** Returns the fields that begin at the index {@code from}. An empty line follows the last field. */
    static HttpHeaders read(byte[] section, int from) {
        HttpHeaders fields = CHECKED.newHeaders();
        int line = from;
        while (section[line] != '\r') {
            int colon = indexOf(':', section, line);
            int end = indexOf('\r', section, colon);
            fields.add(new AsciiString(section, line, colon - line, true), value(section, colon + 1, end));
            line = end + 2;
        }
        return fields;
    }

    private static int indexOf(char wanted, byte[] section, int from) {
        int i = from;
        while (section[i] != wanted) {
            i++;
        }
        return i;
    }

    private static String value(byte[] section, int begin, int end) {
        int from = begin;
        int to = end;
        while (from < to && HttpBytes.isBlank(section[from])) {
            from++;
        }
        while (to > from && HttpBytes.isBlank(section[to - 1])) {
            to--;
        }
        return new String(section, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
