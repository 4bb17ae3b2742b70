package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests of a client connection into a {@link RequestSink}. While the reader is {@linkplain #pause()
 * paused}, received bytes are not parsed. Pauses ensure that the connection has at most one current request, and that a
 * body is not read before its origin connection is ready. If the sink pauses the reader during a call, no further byte
 * is parsed.
 */
public final class RequestReader extends Http1Reader {
    private final RequestSink sink;
    private final RequestHeadReader heads;
    private @Nullable ChannelHandlerContext context;
    private boolean paused;
    /** Nesting depth of {@link #channelRead}. */
    private int depth;

    private RequestReader(DecoderLimits limits, boolean encrypted, RequestSink sink) {
        super(HeadScanner.ofRequests(limits), limits, State.HEAD);
        this.sink = sink;
        this.heads = new RequestHeadReader(encrypted);
    }

    /**
     * Adds a reader of requests for {@code sink} to the end of a pipeline.
     *
     * @param encrypted whether the connection uses TLS
     */
    public static RequestReader on(
            ChannelPipeline pipeline, DecoderLimits limits, boolean encrypted, RequestSink sink) {
        RequestReader reader = new RequestReader(limits, encrypted, sink);
        pipeline.addLast(reader);
        return reader;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        context = null;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object input) throws Exception {
        depth++;
        try {
            super.channelRead(ctx, input);
        } finally {
            depth--;
        }
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (!paused) {
            super.decode(ctx, in, out);
        }
    }

    @Override
    protected void decodeLast(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (state() == State.TUNNEL && in.isReadable()) {
            // Delivered even if the reader is paused, because these bytes arrived before the end of the connection and
            // are the last bytes.
            super.decode(ctx, in, out);
            ctx.fireChannelReadComplete();
        }
    }

    @Override
    void onHead(byte[] bytes, HeadIndex index, HttpHeaders fields, boolean mayHaveForwardingFields) {
        List<String> connection = ConnectionOptions.of(fields);
        RequestHead head = heads.read(bytes, index, fields, connection);
        if (head == null) {
            GatewayError fault = heads.fault();
            discardRest();
            sink.onRequestMalformed(fault);
            return;
        }
        head.mayHaveForwardingFields(mayHaveForwardingFields);
        head.size(bytes.length);
        boolean ended = !beginBody(head.framing(), head.contentLength(), connection);
        sink.onRequestHead(head, ConnectionOptions.persistent(head.isHttp10(), connection));
        if (ended) {
            sink.onRequestEnd(EmptyHttpHeaders.INSTANCE);
        }
    }

    @Override
    void onBody(ByteBuf chunk) {
        sink.onRequestBody(chunk);
    }

    @Override
    void onEnd(HttpHeaders trailers) {
        become(State.HEAD);
        sink.onRequestEnd(trailers);
    }

    @Override
    void onRefused(ErrorKind kind, String detail) {
        sink.onRequestMalformed(GatewayError.downstream(kind, detail));
    }

    @Override
    void onUnsolicited() {
        throw new IllegalStateException("requests are never unsolicited");
    }

    /** Returns the key of the last WebSocket handshake; null if there was none. */
    public @Nullable String webSocketKey() {
        return heads.webSocketKey();
    }

    /** Delivers all further bytes as chunks of a body without end. */
    public void becomeTunnel() {
        become(State.TUNNEL);
    }

    /** Pauses parsing until {@link #resume()}; arriving bytes are buffered. */
    public void pause() {
        paused = true;
    }

    /**
     * Resumes parsing with the buffered bytes. This method may call the sink before it returns.
     *
     * @return whether bytes were parsed outside of a channel read; if true, no read-complete event follows
     */
    public boolean resume() {
        if (!paused) {
            return false;
        }
        paused = false;
        // Within a read, the parsing loop continues by itself; otherwise, an empty read starts it.
        ChannelHandlerContext ctx = context;
        if (depth > 0 || ctx == null || actualReadableBytes() == 0) {
            return false;
        }
        try {
            channelRead(ctx, Unpooled.EMPTY_BUFFER);
        } catch (Exception e) {
            ctx.fireExceptionCaught(e);
        }
        return true;
    }

    /** Discards buffered and further bytes. Must not be called within a call of the sink. */
    public void discard() {
        if (state() != State.REFUSED) {
            become(State.REFUSED);
        }
        paused = true;
        resume();
    }
}
