package dev.lychgate.health;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.lychgate.config.ActiveHealthConfig;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;

/**
 * Checks an endpoint with a GET request. The response must have a configured status and, optionally, contain a
 * configured text.
 */
final class HttpInquiry implements Inquiry {
    /** The maximum number of body bytes that are searched for the text. */
    static final int MOST_BODY = 64 << 10;

    private static final String CONTAINS_NOT = "the body does not contain the expected text";

    private final ActiveHealthConfig config;
    private final String host;
    private final StringBuilder body = new StringBuilder();

    /**
     * Creates the inquiry for one request.
     *
     * @param config the settings of the check, which must contain a path
     * @param host the Host header
     */
    HttpInquiry(ActiveHealthConfig config, String host) {
        this.config = config;
        this.host = host;
    }

    @Override
    public RequestHead head() {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        headers.set(HttpHeaderNames.HOST, host);
        headers.set(HttpHeaderNames.USER_AGENT, Probe.AGENT);
        String path = requireNonNull(config.path());
        int mark = path.indexOf('?');
        String query = mark < 0 ? null : path.substring(mark + 1);
        return new RequestHead(HttpMethod.GET, false, mark < 0 ? path : path.substring(0, mark), query, host, headers);
    }

    @Override
    public @Nullable ByteBuf body(ByteBufAllocator allocator) {
        return null;
    }

    @Override
    public @Nullable Verdict onHead(ResponseHead head) {
        int status = head.status();
        boolean good =
                config.statuses().isEmpty() ? status < 400 : config.statuses().contains(status);
        if (!good) {
            return new Verdict("status " + status);
        }
        return config.body() == null ? Verdict.GOOD : null;
    }

    @Override
    public @Nullable Verdict onBody(ByteBuf piece) {
        int room = MOST_BODY - body.length();
        // One char per byte is sufficient for a byte search.
        body.append(piece.toString(piece.readerIndex(), Math.min(room, piece.readableBytes()), ISO_8859_1));
        if (contains()) {
            return Verdict.GOOD;
        }
        return body.length() >= MOST_BODY ? new Verdict(CONTAINS_NOT) : null;
    }

    private boolean contains() {
        String wanted = config.body();
        return wanted != null && body.indexOf(new String(wanted.getBytes(UTF_8), ISO_8859_1)) >= 0;
    }

    @Override
    public Verdict onEnd(HttpHeaders trailers) {
        // The text was not found before the end.
        return new Verdict(CONTAINS_NOT);
    }
}
