package dev.lychgate.codec;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import java.util.Objects;

/** Puts a reader of HTTP/1 into a connection's pipeline, and a writer beside it. */
public final class Http1Codec {
    private Http1Codec() {}

    /**
     * Reads requests off a client connection into {@code sink}.
     *
     * @param encrypted whether TLS is spoken on it
     * @return controls the reader
     */
    public static RequestSource readRequests(
            ChannelPipeline pipeline, DecoderLimits limits, boolean encrypted, RequestSink sink) {
        RequestReader reader = new RequestReader(limits, encrypted, sink);
        pipeline.addLast(reader);
        return reader;
    }

    /** Removes a reader of requests from {@code pipeline}. */
    public static void remove(ChannelPipeline pipeline, RequestSource source) {
        pipeline.remove((ChannelHandler) source);
    }

    /** Writes beside the reader {@code source}: through what is in the pipeline before it, and past what is behind it. */
    public static MessageWriter writer(ChannelPipeline pipeline, RequestSource source) {
        return writer(pipeline, (ChannelHandler) source);
    }

    /** Writes beside the reader {@code source}: through what is in the pipeline before it, and past what is behind it. */
    public static MessageWriter writer(ChannelPipeline pipeline, ResponseSource source) {
        return writer(pipeline, (ChannelHandler) source);
    }

    private static MessageWriter writer(ChannelPipeline pipeline, ChannelHandler reader) {
        return new MessageWriter(Objects.requireNonNull(pipeline.context(reader)));
    }

    /** Reads responses off an origin connection into {@code sink}. @return controls the reader */
    public static ResponseSource readResponses(ChannelPipeline pipeline, DecoderLimits limits, ResponseSink sink) {
        ResponseReader reader = new ResponseReader(limits, sink);
        pipeline.addLast(reader);
        return reader;
    }
}
