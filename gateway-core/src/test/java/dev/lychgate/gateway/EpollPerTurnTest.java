package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A channel without pending events can wait for events again. */
@EnabledIf("hasEpoll")
@Tag("slow")
class EpollPerTurnTest {
    /** Far more than a socket's buffers hold, so that the channel must wait until it is writable. */
    private static final int BYTES = 32 << 20;

    static boolean hasEpoll() {
        return Epoll.isAvailable();
    }

    /** After the end of the peer's input, no event is pending; then data has to be written. */
    private static final class WritesAtTheEnd extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event == ChannelInputShutdownReadComplete.INSTANCE) {
                ctx.executor()
                        .schedule(
                                () -> ctx.writeAndFlush(
                                                Unpooled.directBuffer(BYTES).writeZero(BYTES))
                                        .addListener(ChannelFutureListener.CLOSE),
                                100,
                                TimeUnit.MILLISECONDS);
            }
        }
    }

    @Test
    void aHalfClosedChannelWaitsToWriteAgain() throws Exception {
        MultiThreadIoEventLoopGroup group =
                NettyTransport.group(1, new AcceptingLoops(), NettyTransport.EPOLL.handlers());
        try {
            Channel server = new ServerBootstrap()
                    .group(group)
                    .channel(NettyTransport.EPOLL.server)
                    .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                    .childHandler(new WritesAtTheEnd())
                    .bind("127.0.0.1", 0)
                    .sync()
                    .channel();
            InetSocketAddress address = (InetSocketAddress) server.localAddress();
            try (Socket client = new Socket(address.getAddress(), address.getPort())) {
                client.setSoTimeout(10_000);
                client.shutdownOutput();
                TimeUnit.MILLISECONDS.sleep(500);
                assertThat(client.getInputStream().readAllBytes()).hasSize(BYTES);
            }
        } finally {
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
        }
    }
}
