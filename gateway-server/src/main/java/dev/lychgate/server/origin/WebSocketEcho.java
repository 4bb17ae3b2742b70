package dev.lychgate.server.origin;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshakerFactory;

/** Opens a WebSocket that sends back every message, or says that it could have. */
final class WebSocketEcho implements Answer {
    private static final int LARGEST_FRAME = 64 << 20;

    private final Turn turn;
    private final HttpRequest request;

    WebSocketEcho(Turn turn, HttpRequest request) {
        this.turn = turn;
        this.request = request;
    }

    @Override
    public void onEnd() {
        WebSocketServerHandshaker handshaker =
                new WebSocketServerHandshakerFactory(null, null, true, LARGEST_FRAME).newHandshaker(request);
        boolean asked = request.headers().containsValue("connection", "upgrade", true)
                && request.headers().containsValue("upgrade", "websocket", true);
        if (!asked || handshaker == null) {
            Answers.refuse(turn, "a WebSocket stands here");
            return;
        }
        ChannelPipeline pipeline = turn.channel().pipeline();
        pipeline.addAfter(pipeline.context(HttpRequestDecoder.class).name(), "http-encoder", new HttpResponseEncoder());
        pipeline.replace(OriginHandler.class, "echo", new Frames());
        handshaker.handshake(turn.channel(), whole()).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    private DefaultFullHttpRequest whole() {
        return new DefaultFullHttpRequest(
                request.protocolVersion(),
                request.method(),
                request.uri(),
                Unpooled.EMPTY_BUFFER,
                request.headers(),
                new DefaultHttpHeaders());
    }

    private static final class Frames extends SimpleChannelInboundHandler<WebSocketFrame> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
            if (frame instanceof CloseWebSocketFrame) {
                ctx.writeAndFlush(frame.retain()).addListener(ChannelFutureListener.CLOSE);
            } else if (frame instanceof PingWebSocketFrame) {
                ctx.write(new PongWebSocketFrame(frame.content().retain()), ctx.voidPromise());
            } else if (!(frame instanceof PongWebSocketFrame)) {
                ctx.write(frame.retain(), ctx.voidPromise());
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            ctx.channel().config().setAutoRead(ctx.channel().isWritable());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            var unused = ctx.close(); // resets by clients are their business
        }
    }
}
