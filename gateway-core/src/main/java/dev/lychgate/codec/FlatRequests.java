package dev.lychgate.codec;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads plain requests of one connection. */
final class FlatRequests extends FlatReader {
    /** Of a draft of WebSocket; to Netty, a request with it may have a body of eight bytes that nothing tells of. */
    private static final AsciiString DRAFT_KEY = AsciiString.cached("sec-websocket-key1");

    @Override
    @Nullable
    HttpMessage message(byte[] head, HeadIndex index) {
        int method = index.firstSpace();
        int target = index.secondSpace();
        if (!isHttp11(head, target + 1)) {
            return null;
        }
        FlatHeaders fields = fields(head, index);
        if (fields == null || fields.contains(DRAFT_KEY)) {
            return null;
        }
        body();
        return new DefaultHttpRequest(
                HttpVersion.HTTP_1_1,
                method(head, method),
                new String(head, method + 1, target - method - 1, StandardCharsets.US_ASCII),
                fields);
    }

    private static HttpMethod method(byte[] head, int length) {
        if (length == 3 && head[0] == 'G' && head[1] == 'E' && head[2] == 'T') {
            return HttpMethod.GET;
        }
        return HttpMethod.valueOf(new String(head, 0, length, StandardCharsets.US_ASCII));
    }
}
