package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the responses of an origin connection into a {@link ResponseSink}; {@link #expect} states which request each one belongs
 * to. Bytes that come while no response is expected are not parsed but reported: an origin that sends them is out of step.
 */
final class ResponseReader extends Http1Reader implements ResponseSource {
    private final ResponseSink sink;
    private final ResponseHeadReader heads = new ResponseHeadReader();
    private @Nullable WebSocketOffer offer;
    private boolean toHead;

    ResponseReader(DecoderLimits limits, ResponseSink sink) {
        super(HeadScanner.ofResponses(limits), limits, State.IDLE);
        this.sink = sink;
    }

    @Override
    public void expect(boolean answerToHead) {
        become(State.AWAITED);
        toHead = answerToHead;
        offer = null;
    }

    @Override
    public void expectTunnel(WebSocketOffer asked) {
        expect(false);
        offer = asked;
    }

    @Override
    public boolean begun() {
        return state() != State.IDLE && state() != State.AWAITED;
    }

    @Override
    public long bodyLeft() {
        return left();
    }

    @Override
    public void pass(long bytes) {
        passLeft(bytes);
    }

    @Override
    void onHead(byte[] bytes, HeadIndex index, HttpHeaders fields, boolean mayHaveForwardingFields) {
        List<String> connection = fields.getAll(HttpHeaderNames.CONNECTION);
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
