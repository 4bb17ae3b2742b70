package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the responses of an origin connection into a {@link ResponseSink}. Before each response, {@link #expect}
 * announces its request. Bytes outside an expected response are reported and not parsed, because requests and responses
 * on the connection no longer match.
 */
public final class ResponseReader extends Http1Reader {
    private final ResponseSink sink;
    private final ResponseHeadReader heads = new ResponseHeadReader();
    private @Nullable WebSocketOffer offer;
    private boolean toHead;

    private ResponseReader(DecoderLimits limits, ResponseSink sink) {
        super(HeadScanner.ofResponses(limits), limits, State.IDLE);
        this.sink = sink;
    }

    /** Adds a reader of responses for {@code sink} to the end of a pipeline. */
    public static ResponseReader on(ChannelPipeline pipeline, DecoderLimits limits, ResponseSink sink) {
        ResponseReader reader = new ResponseReader(limits, sink);
        pipeline.addLast(reader);
        return reader;
    }

    /**
     * Announces a request that has been sent, so that its response is expected. Bytes that arrived earlier are
     * unsolicited.
     *
     * @param answerToHead whether the request was a HEAD; its response has no body, regardless of its headers
     */
    public void expect(boolean answerToHead) {
        become(State.AWAITED);
        toHead = answerToHead;
        offer = null;
    }

    /**
     * Announces a request for a WebSocket. For the head of a response that accepts the request, {@link
     * ResponseHead#isTunnel} returns true. All bytes after this head are reported as chunks of a body without end.
     */
    public void expectTunnel(WebSocketOffer asked) {
        expect(false);
        offer = asked;
    }

    /** Returns whether the awaited response has begun. */
    public boolean begun() {
        return state() != State.IDLE && state() != State.AWAITED;
    }

    @Override
    void onHead(byte[] bytes, HeadIndex index, HttpHeaders fields, boolean mayHaveForwardingFields) {
        List<String> connection = ConnectionOptions.of(fields);
        boolean persistent = ConnectionOptions.persistent(ResponseHeadReader.isHttp10(bytes), connection);
        ResponseHead head = heads.read(bytes, index, fields, connection, toHead, offer);
        if (head == null) {
            refuse(ErrorKind.MALFORMED_RESPONSE, heads.fault());
            return;
        }
        head.size(bytes.length);
        boolean ended = !beginBody(head.framing(), head.contentLength(), connection) && !head.isInformational();
        sink.onResponseHead(head, persistent);
        if (ended) {
            onEnd(EmptyHttpHeaders.INSTANCE);
        }
    }

    @Override
    void onBody(ByteBuf chunk) {
        sink.onResponseBody(chunk);
    }

    @Override
    void onEnd(HttpHeaders trailers) {
        become(State.IDLE);
        sink.onResponseEnd(trailers, actualReadableBytes() > 0);
    }

    @Override
    void onRefused(ErrorKind kind, String detail) {
        sink.onResponseMalformed(detail);
    }

    @Override
    void onUnsolicited() {
        sink.onUnsolicitedBytes();
    }

    @Override
    protected void decodeLast(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (state() == State.UNTIL_CLOSE) {
            onEnd(EmptyHttpHeaders.INSTANCE);
            ctx.fireChannelReadComplete();
        }
    }
}
