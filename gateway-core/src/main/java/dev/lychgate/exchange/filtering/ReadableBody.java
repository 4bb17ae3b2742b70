package dev.lychgate.exchange.filtering;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.filter.BodyRefusal;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks whether filters can read a body as text: complete, without a content coding, and in UTF-8. */
final class ReadableBody {
    private ReadableBody() {}

    /** @throws BodyRefusal if the body cannot be read; the client gets 400 */
    static void requireRequest(HttpHeaders headers) {
        String fault = fault(headers, "decompress");
        if (fault != null) {
            throw new BodyRefusal(GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request body " + fault));
        }
    }

    /** @throws IllegalStateException if the body cannot be read */
    static void requireResponse(HttpHeaders headers, int status) {
        String fault = status == 206 ? "is a part of a body (206)" : fault(headers, "decompress: { answers: true }");
        if (fault != null) {
            throw new IllegalStateException("the response body " + fault);
        }
    }

    private static @Nullable String fault(HttpHeaders headers, String decoder) {
        String coding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            return "has a content-encoding, which a filter cannot read: list " + decoder + " before the filter";
        }
        if (headers.contains(HttpHeaderNames.CONTENT_RANGE)) {
            return "is a part of a body (content-range)";
        }
        String charset = charset(headers.get(HttpHeaderNames.CONTENT_TYPE));
        return charset.isEmpty() || charset.equals("utf-8") || charset.equals("us-ascii")
                ? null
                : "has a charset other than UTF-8";
    }

    /** Returns the charset of a content type in lower case; empty if it has none. */
    private static String charset(@Nullable String type) {
        String parameters = type == null ? "" : type.toLowerCase(Locale.ROOT);
        for (int at = parameters.indexOf(';'); at >= 0; at = parameters.indexOf(';', at + 1)) {
            String parameter = parameters.substring(at + 1).stripLeading();
            if (parameter.startsWith("charset=")) {
                int end = parameter.indexOf(';');
                return parameter
                        .substring("charset=".length(), end < 0 ? parameter.length() : end)
                        .replace("\"", "")
                        .strip();
            }
        }
        return "";
    }
}
