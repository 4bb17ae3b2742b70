package dev.lychgate.codec;

import io.netty.channel.ChannelPipeline;

/**
 * Puts a decoder into a connection's pipeline. The one place that knows which codec there is; writing is not part of it,
 * see {@link MessageWriter}.
 */
public final class Http1Codec {
    private Http1Codec() {}

    /** Reads requests off a client connection into {@code sink}. @return the decoder's reins */
    public static RequestSource readRequests(ChannelPipeline pipeline, DecoderLimits limits, RequestSink sink) {
        NettyRequestDecoder decoder = new NettyRequestDecoder(limits);
        pipeline.addLast(decoder, new NettyRequestAdapter(sink, decoder));
        return decoder;
    }

    /** Reads responses off an origin connection into {@code sink}. @return the decoder's reins */
    public static ResponseSource readResponses(ChannelPipeline pipeline, DecoderLimits limits, ResponseSink sink) {
        NettyResponseDecoder decoder = new NettyResponseDecoder(limits);
        pipeline.addLast(decoder, new NettyResponseAdapter(sink, decoder));
        return decoder;
    }
}
