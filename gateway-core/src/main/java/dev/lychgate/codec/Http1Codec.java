package dev.lychgate.codec;

import dev.lychgate.config.Codec;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import java.util.Objects;

/**
 * Puts a decoder into a connection's pipeline, and a writer beside it. The one place that knows which codec there is.
 */
public final class Http1Codec {
    private final boolean flat;

    private Http1Codec(boolean flat) {
        this.flat = flat;
    }

    /** That one; any thread may use it. */
    public static Http1Codec of(Codec codec) {
        return new Http1Codec(codec == Codec.FLAT);
    }

    /**
     * Reads requests off a client connection into {@code sink}.
     *
     * @param encrypted whether TLS is spoken on it
     * @return the decoder's reins
     */
    public RequestSource readRequests(
            ChannelPipeline pipeline, DecoderLimits limits, boolean encrypted, RequestSink sink) {
        NettyRequestDecoder decoder = new NettyRequestDecoder(limits, flat ? new FlatRequests() : null);
        pipeline.addLast(decoder, new NettyRequestAdapter(sink, decoder, encrypted));
        return decoder;
    }

    /** Takes a decoder of requests, and what belongs to it, off {@code pipeline}. */
    public static void remove(ChannelPipeline pipeline, RequestSource source) {
        pipeline.remove((ChannelHandler) source);
        pipeline.remove(NettyRequestAdapter.class);
    }

    /** Writes beside the decoder {@code source}: through what is in the pipeline before it, and past what is behind it. */
    public static MessageWriter writer(ChannelPipeline pipeline, RequestSource source) {
        return writer(pipeline, (ChannelHandler) source);
    }

    /** Writes beside the decoder {@code source}: through what is in the pipeline before it, and past what is behind it. */
    public static MessageWriter writer(ChannelPipeline pipeline, ResponseSource source) {
        return writer(pipeline, (ChannelHandler) source);
    }

    private static MessageWriter writer(ChannelPipeline pipeline, ChannelHandler decoder) {
        return new MessageWriter(Objects.requireNonNull(pipeline.context(decoder)));
    }

    /** Reads responses off an origin connection into {@code sink}. @return the decoder's reins */
    public ResponseSource readResponses(ChannelPipeline pipeline, DecoderLimits limits, ResponseSink sink) {
        NettyResponseDecoder decoder = new NettyResponseDecoder(limits, flat ? new FlatResponses() : null);
        pipeline.addLast(decoder, new NettyResponseAdapter(sink, decoder));
        return decoder;
    }
}
