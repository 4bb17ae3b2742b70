package dev.lychgate.codec;

import dev.lychgate.http.ResponseHead;
import dev.lychgate.http.TrailerFields;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/** Netty's response messages become calls on a {@link ResponseSink}; the messages end here. */
final class NettyResponseAdapter extends ChannelInboundHandlerAdapter {
    private final ResponseSink sink;
    private final NettyResponseDecoder decoder;
    private final ResponseHeadReader reader = new ResponseHeadReader();
    private boolean informational;
    private boolean malformed;

    NettyResponseAdapter(ResponseSink sink, NettyResponseDecoder decoder) {
        this.sink = sink;
        this.decoder = decoder;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (malformed) {
            ReferenceCountUtil.release(message);
        } else if (message == LastHttpContent.EMPTY_LAST_CONTENT) {
            onEnd(LastHttpContent.EMPTY_LAST_CONTENT.trailingHeaders());
        } else if (message instanceof HttpResponse response) {
            onHead(response);
        } else if (message instanceof HttpContent content) {
            onContent(content);
        } else if (message instanceof ByteBuf piece) {
            sink.onResponseBody(piece);
        } else if (message == NettyResponseDecoder.Unsolicited.BYTES) {
            sink.onUnsolicitedBytes();
        } else if (message instanceof HeadGate.Refused refusal) {
            malformed = true;
            sink.onResponseMalformed(refusal.detail());
        } else {
            ReferenceCountUtil.release(message);
        }
    }

    private void onHead(HttpResponse response) {
        boolean persistent = ResponseHeadReader.isPersistent(response);
        ResponseHead head = reader.read(response, decoder.isToHead(), decoder.offer());
        if (head == null) {
            ReferenceCountUtil.release(response);
            malformed = true;
            sink.onResponseMalformed(reader.fault());
            return;
        }
        informational = head.status() < 200;
        if (head.isTunnel()) {
            decoder.becomeTunnel();
        }
        sink.onResponseHead(head, persistent);
    }

    private void onContent(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            content.release();
            malformed = true;
            sink.onResponseMalformed("the response body is not validly chunked");
            return;
        }
        if (content.content().isReadable()) {
            sink.onResponseBody(content.content());
        } else {
            content.release();
        }
        if (content instanceof LastHttpContent last) {
            TrailerFields.strip(last.trailingHeaders());
            onEnd(last.trailingHeaders());
        }
    }

    private void onEnd(HttpHeaders trailers) {
        if (informational) {
            // Netty ends every message, interim ones too; the answer is still to come.
            informational = false;
        } else {
            sink.onResponseEnd(trailers, decoder.complete());
        }
    }
}
