package dev.lychgate.codec;

import dev.lychgate.error.ErrorKind;
import dev.lychgate.error.GatewayError;
import dev.lychgate.http.RequestHead;
import dev.lychgate.http.TrailerFields;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.List;

/** Netty's request messages become calls on a {@link RequestSink}; the messages end here. */
final class NettyRequestAdapter extends ChannelInboundHandlerAdapter {
    private final RequestSink sink;
    private final NettyRequestDecoder decoder;
    private final RequestHeadReader reader;
    private boolean malformed;

    NettyRequestAdapter(RequestSink sink, NettyRequestDecoder decoder, boolean encrypted) {
        this.reader = new RequestHeadReader(encrypted);
        this.sink = sink;
        this.decoder = decoder;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (malformed) {
            ReferenceCountUtil.release(message);
        } else if (message == LastHttpContent.EMPTY_LAST_CONTENT) {
            sink.onRequestEnd(LastHttpContent.EMPTY_LAST_CONTENT.trailingHeaders());
        } else if (message instanceof HttpRequest request) {
            onHead(request);
        } else if (message instanceof HttpContent content) {
            onContent(content);
        } else if (message instanceof ByteBuf piece) {
            sink.onRequestBody(piece);
        } else if (message instanceof HeadGate.Refused refusal) {
            malformed = true;
            sink.onRequestMalformed(GatewayError.downstream(refusal.kind(), refusal.detail()));
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    private void onHead(HttpRequest request) {
        List<String> options = RequestHeadReader.connectionOptions(request);
        boolean persistent = RequestHeadReader.isPersistent(request, options);
        RequestHead head = reader.read(request, options);
        if (head != null) {
            if (head.protocol() != null) {
                decoder.webSocketKey(reader.webSocketKey());
            }
            head.mayHaveForwardingFields(decoder.mayHaveForwardingFields());
            sink.onRequestHead(head, persistent);
        } else {
            ReferenceCountUtil.release(request);
            malformed = true;
            sink.onRequestMalformed(reader.fault());
        }
    }

    private void onContent(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            content.release();
            malformed = true;
            sink.onRequestMalformed(
                    GatewayError.downstream(ErrorKind.MALFORMED_REQUEST, "the request body is not validly chunked"));
            return;
        }
        if (content.content().isReadable()) {
            sink.onRequestBody(content.content());
        } else {
            content.release();
        }
        if (content instanceof LastHttpContent last) {
            TrailerFields.strip(last.trailingHeaders());
            sink.onRequestEnd(last.trailingHeaders());
        }
    }
}
