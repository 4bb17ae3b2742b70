package dev.lychgate.http2;

import dev.lychgate.http.TrailerFields;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;

/**
 * Reads trailers from a stream's last header block.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9113#section-8.1">RFC 9113, 8.1 HTTP Message Framing</a>
 */
final class Trailers {
    private Trailers() {}

    /**
     * Returns the fields of the block that are permitted as trailers.
     *
     * @throws Http2Fault if the block is not valid at the end of a stream
     */
    static HttpHeaders read(int stream, HeaderFields fields, boolean end) throws Http2Fault {
        String fault = fields.malformed();
        if (fault == null && !end) {
            fault = "header fields arrived within a body";
        } else if (fault == null && fields.pseudos() > 0) {
            fault = "the trailers contain a pseudo-header";
        } else if (fault == null && fields.isTooLarge()) {
            fault = "the trailers are too large";
        }
        if (fault != null) {
            throw Http2Fault.ofStream(stream, Http2Error.PROTOCOL_ERROR, fault);
        }
        if (fields.size() == 0) {
            return EmptyHttpHeaders.INSTANCE;
        }
        HttpHeaders trailers = DefaultHttpHeadersFactory.trailersFactory()
                .withValidation(false)
                .newHeaders();
        for (int i = 0; i < fields.size(); i++) {
            trailers.add(fields.name(i), fields.value(i));
        }
        // HTTP/2 has no Connection header that could nominate trailers.
        TrailerFields.strip(trailers, List.of());
        return trailers;
    }
}
