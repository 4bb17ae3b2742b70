package dev.lychgate.server.origin;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshaker;
import io.netty.handler.codec.http.websocketx.WebSocketServerHandshakerFactory;

/** A WebSocket that sends back every message. */
final class WebSocketEcho extends SimpleChannelInboundHandler<WebSocketFrame> {
    private static final int LARGEST_FRAME = 64 << 20;

    private WebSocketEcho() {}

    /**
     * Opens a WebSocket, with a handler that replaces {@link OriginHandler}. Returns false and writes nothing if the
     * request is not an upgrade.
     */
    static boolean open(ChannelPipeline pipeline, HttpRequest request) {
        WebSocketServerHandshaker handshaker =
                new WebSocketServerHandshakerFactory(null, null, true, LARGEST_FRAME).newHandshaker(request);
        boolean asked = request.headers().containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
                && request.headers().containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
        if (!asked || handshaker == null) {
            return false;
        }
        pipeline.replace(OriginHandler.class, "echo", new WebSocketEcho());
        handshaker.handshake(pipeline.channel(), whole(request)).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        return true;
    }

    private static DefaultFullHttpRequest whole(HttpRequest request) {
        return new DefaultFullHttpRequest(
                request.protocolVersion(),
                request.method(),
                request.uri(),
                Unpooled.EMPTY_BUFFER,
                request.headers(),
                new DefaultHttpHeaders());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
        if (frame instanceof CloseWebSocketFrame) {
            ctx.writeAndFlush(frame.retain()).addListener(ChannelFutureListener.CLOSE);
        } else if (frame instanceof PingWebSocketFrame) {
            ctx.write(new PongWebSocketFrame(frame.content().retain()));
        } else if (!(frame instanceof PongWebSocketFrame)) {
            ctx.write(frame.retain());
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
        ctx.close(); // a client may reset its connection at any time
    }
}
