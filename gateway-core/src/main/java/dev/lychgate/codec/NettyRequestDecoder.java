package dev.lychgate.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Netty's request decoder behind a {@link HeadGate}, with reins: {@link #pause()} makes it leave bytes where they are, so
 * that at most one request per connection is under way and a body waits, unparsed, for its origin connection.
 *
 * <p>Netty hands on what one step has parsed before it takes the next step; so a pause called while a head is being
 * handed on takes effect before the first byte of its body is looked at.
 */
final class NettyRequestDecoder extends HttpRequestDecoder implements RequestSource {
    /** What a {@link HeadScanner} has passed need not be looked at again, field by field. */
    private static final HttpHeadersFactory CHECKED_HEADERS =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    private final HeadGate gate;
    private final @Nullable FlatRequests flat;
    private final TrailersFactory trailers;
    private @Nullable ChannelHandlerContext context;
    private @Nullable String webSocketKey;
    private boolean tunnel;
    private boolean paused;
    private int depth;

    /** @param flat reads what it can before Netty does; null if Netty is to read everything */
    NettyRequestDecoder(DecoderLimits limits, @Nullable FlatRequests flat) {
        this(limits, flat, new TrailersFactory());
    }

    private NettyRequestDecoder(DecoderLimits limits, @Nullable FlatRequests flat, TrailersFactory trailers) {
        super(config(limits).setTrailersFactory(trailers));
        this.flat = flat;
        this.trailers = trailers;
        gate = new HeadGate(HeadScanner.ofRequests(limits), limits);
    }

    static HttpDecoderConfig config(DecoderLimits limits) {
        return new HttpDecoderConfig()
                .setMaxInitialLineLength(limits.startLine())
                .setMaxHeaderSize(limits.headerBytes())
                // One message per read, however much the read brought: the read itself is bounded.
                .setMaxChunkSize(Integer.MAX_VALUE)
                .setHeadersFactory(CHECKED_HEADERS)
                // Lines are copied there before Netty reads them; it grows with them, and most connections never need
                // it.
                .setInitialBufferSize(16);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        context = null;
        super.handlerRemoved0(ctx);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        context = ctx;
        super.handlerAdded(ctx);
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
    protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        if (tunnel) {
            if (!paused) {
                out.add(buffer.readRetainedSlice(buffer.readableBytes()));
            }
        } else if (!paused && gate.admits(buffer, out)) {
            int before = buffer.readableBytes();
            if (flat == null || !flat.read(buffer, gate, out)) {
                trailers.expect(gate.isChunked());
                super.decode(ctx, buffer, out);
            }
            gate.decoded(buffer, before - buffer.readableBytes(), out);
        }
    }

    @Override
    protected void decodeLast(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        if (!tunnel) {
            super.decodeLast(ctx, buffer, out);
        } else if (buffer.isReadable()) {
            // Paused or not: nothing comes behind these, and they came in time.
            out.add(buffer.readRetainedSlice(buffer.readableBytes()));
        }
    }

    /** Of the head that is being handed on. */
    void webSocketKey(@Nullable String key) {
        webSocketKey = key;
    }

    @Override
    public @Nullable String webSocketKey() {
        return webSocketKey;
    }

    @Override
    public void becomeTunnel() {
        tunnel = true;
    }

    /** Of the head that is being handed on, see {@link HeadScanner#mayHaveForwardingFields}. */
    boolean mayHaveForwardingFields() {
        return gate.mayHaveForwardingFields();
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public boolean resume() {
        if (!paused) {
            return false;
        }
        paused = false;
        // Within a read the running loop goes on by itself; otherwise it has to be started, with nothing new.
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

    @Override
    public int buffered() {
        return actualReadableBytes();
    }

    @Override
    public int bufferSize() {
        return actualReadableBytes() == 0 ? 0 : internalBuffer().capacity();
    }

    @Override
    public void discard() {
        tunnel = false;
        paused = true;
        gate.discard();
        resume();
    }
}
