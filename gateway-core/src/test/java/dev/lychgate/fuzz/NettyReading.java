package dev.lychgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.lychgate.codec.DecoderLimits;
import dev.lychgate.http.HopByHopHeaders;
import dev.lychgate.http.TrailerFields;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.List;

/**
 * What Netty's own decoder, as it is configured by default, makes of the bytes of a connection, in the words of {@link Reading}.
 * It is the oracle of the fuzzers: older than our reader, and attacked far more often.
 */
final class NettyReading extends ChannelInboundHandlerAdapter {
    private final Reading reading = new Reading();
    private final boolean toHead;
    private boolean informational;
    private List<String> connection = List.of();

    private NettyReading(boolean toHead) {
        this.toHead = toHead;
    }

    /** Reads requests off {@code channel}. */
    static Reading ofRequests(MemoryChannel channel, DecoderLimits limits) {
        NettyReading netty = new NettyReading(false);
        channel.pipeline().addLast(new HttpRequestDecoder(config(limits)), netty);
        return netty.reading;
    }

    /**
     * Reads responses off {@code channel}.
     *
     * @param toHead whether the requests are HEAD
     */
    static Reading ofResponses(MemoryChannel channel, DecoderLimits limits, boolean toHead) {
        NettyReading netty = new NettyReading(toHead);
        channel.pipeline().addLast(new Responses(limits, toHead), netty);
        return netty.reading;
    }

    /** Netty reports some lines in several chunks as too long at their maximum length. */
    private static HttpDecoderConfig config(DecoderLimits limits) {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(limits.startLine() + 2)
                .setMaxHeaderSize(limits.headerBytes() + 2);
    }

    private static final class Responses extends HttpResponseDecoder {
        private final boolean toHead;

        Responses(DecoderLimits limits, boolean toHead) {
            super(config(limits));
            this.toHead = toHead;
        }

        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            return toHead || super.isContentAlwaysEmpty(message);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try {
            if (message instanceof HttpObject part && part.decoderResult().isFailure()) {
                reading.refused();
                return;
            }
            if (message instanceof HttpRequest request) {
                onRequest(request);
            } else if (message instanceof HttpResponse response) {
                onResponse(response);
            }
            if (message instanceof HttpContent content) {
                reading.body(content.content().toString(ISO_8859_1));
            }
            if (message instanceof LastHttpContent last) {
                onEnd(last.trailingHeaders());
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void onRequest(HttpRequest request) {
        HttpHeaders headers = request.headers();
        boolean http10 = request.protocolVersion().minorVersion() == 0;
        boolean persistent = HttpUtil.isKeepAlive(request);
        String framing = framing(request, "NONE");
        if (http10) {
            headers.remove(HttpHeaderNames.EXPECT);
        }
        connection = headers.getAll(HttpHeaderNames.CONNECTION);
        HopByHopHeaders.strip(headers, connection);
        headers.remove(HttpHeaderNames.CONTENT_LENGTH);
        reading.request(request.method().name(), target(request), http10, framing, persistent, headers);
    }

    /** The target in origin form, as {@link dev.lychgate.http.RequestHead} has it. */
    private static String target(HttpRequest request) {
        String uri = request.uri();
        int scheme = uri.indexOf("://");
        if (uri.startsWith("/") || uri.equals("*") || scheme < 0) {
            return uri;
        }
        String target = uri.substring(scheme + 3).replaceFirst("^[^/?]*", "");
        if (target.isEmpty()) {
            return request.method().name().equals("OPTIONS") ? "*" : "/";
        }
        return target.startsWith("?") ? "/" + target : target;
    }

    private void onResponse(HttpResponse response) {
        HttpHeaders headers = response.headers();
        int status = response.status().code();
        informational = status < 200;
        boolean persistent = HttpUtil.isKeepAlive(response);
        boolean bodyless = toHead || informational || status == 204 || status == 304;
        String framing = bodyless ? "NONE" : framing(response, "UNTIL_CLOSE");
        connection = headers.getAll(HttpHeaderNames.CONNECTION);
        HopByHopHeaders.strip(headers, connection);
        reading.response(status, response.status().reasonPhrase(), framing, persistent, headers);
    }

    private static String framing(HttpMessage message, String otherwise) {
        if (HttpUtil.isTransferEncodingChunked(message)) {
            return "CHUNKED";
        }
        String length = message.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        return length == null ? otherwise : "LENGTH" + Long.parseLong(length);
    }

    private void onEnd(HttpHeaders trailers) {
        if (informational) {
            // Netty ends every message, interim ones too.
            informational = false;
            return;
        }
        TrailerFields.strip(trailers, connection);
        reading.end(trailers);
    }
}
