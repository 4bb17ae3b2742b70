package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Real sockets with one event loop: no arrival of bytes is missed, and a channel can wait for events again. */
@EnabledIf("hasEpoll")
class EpollPerTurnTest {
    /** Far more than a socket's buffers hold, so that the channel must wait until it is writable. */
    private static final int BYTES = 32 << 20;

    private static final int SMALL_READ = 64;
    /** Fills many reads, and fits into the buffers of the sockets. */
    private static final int SOME_BYTES = 100 * SMALL_READ;

    private final MultiThreadIoEventLoopGroup group =
            NettyTransport.group(1, new AcceptingLoops(), NettyTransport.EPOLL.handlers());

    static boolean hasEpoll() {
        return Epoll.isAvailable();
    }

    @AfterEach
    void stop() throws InterruptedException {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).sync();
    }

    /** Connects to a server whose connections have this handler, and read at most {@link #SMALL_READ} bytes per event. */
    private Socket connect(Supplier<ChannelHandler> handler) throws Exception {
        return connect(handler, new FixedRecvByteBufAllocator(SMALL_READ).maxMessagesPerRead(1));
    }

    private Socket connect(Supplier<ChannelHandler> handler, RecvByteBufAllocator reads) throws Exception {
        Channel server = new ServerBootstrap()
                .group(group)
                .channel(NettyTransport.EPOLL.server)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, reads)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(handler.get());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        InetSocketAddress address = (InetSocketAddress) server.localAddress();
        Socket client = new Socket(address.getAddress(), address.getPort());
        client.setSoTimeout(10_000);
        return client;
    }

    private static void exchange(Socket client) throws IOException {
        client.getOutputStream().write(new byte[SOME_BYTES]);
        assertThat(client.getInputStream().readNBytes(SOME_BYTES)).hasSize(SOME_BYTES);
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

    private static class Echo extends SimpleChannelInboundHandler<ByteBuf> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf bytes) {
            ctx.writeAndFlush(bytes.retain());
        }
    }

    /** Pauses and resumes within the iteration of each read, so that the registered interest stays the same. */
    private static final class PausingEcho extends Echo {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf bytes) {
            ctx.channel().config().setAutoRead(false);
            super.channelRead0(ctx, bytes);
            ctx.channel().config().setAutoRead(true);
        }
    }

    /** Pauses after each read, and resumes in a later iteration. */
    private static final class SlowEcho extends Echo {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, ByteBuf bytes) {
            ctx.channel().config().setAutoRead(false);
            super.channelRead0(ctx, bytes);
            ctx.executor().schedule(() -> ctx.channel().config().setAutoRead(true), 1, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    @Tag("slow")
    void aHalfClosedChannelWaitsToWriteAgain() throws Exception {
        try (Socket client = connect(WritesAtTheEnd::new)) {
            client.shutdownOutput();
            TimeUnit.MILLISECONDS.sleep(500);
            assertThat(client.getInputStream().readAllBytes()).hasSize(BYTES);
        }
    }

    @Test
    void bytesThatAReadLeavesAreReadNext() throws Exception {
        try (Socket client = connect(Echo::new)) {
            exchange(client);
            exchange(client);
        }
    }

    @Test
    void bytesAreReadAfterAPauseWithinAnIteration() throws Exception {
        try (Socket client = connect(PausingEcho::new)) {
            exchange(client);
            exchange(client);
        }
    }

    @Test
    void bytesAreReadAfterAPause() throws Exception {
        try (Socket client = connect(SlowEcho::new)) {
            exchange(client);
            exchange(client);
        }
    }

    @Test
    void theEndOfInputIsReadAfterTheLastBytes() throws Exception {
        try (Socket client = connect(() -> new Echo() {
            @Override
            public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                if (event == ChannelInputShutdownReadComplete.INSTANCE) {
                    ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
                }
            }
        })) {
            client.getOutputStream().write(new byte[SOME_BYTES]);
            client.shutdownOutput();
            assertThat(client.getInputStream().readAllBytes()).hasSize(SOME_BYTES);
        }
    }

    @Test
    void aChannelThatFailsOutsideItsHandlersIsClosed() throws Exception {
        RecvByteBufAllocator failing = new FixedRecvByteBufAllocator(SMALL_READ) {
            @Override
            public ExtendedHandle newHandle() {
                throw new IllegalStateException("on purpose: a channel that fails");
            }
        };
        try (Socket client = connect(Echo::new, failing)) {
            client.getOutputStream().write(1);
            assertThat(endOf(client)).isTrue();
        }
    }

    /** Returns whether the peer closes the connection, in either way, before the client's timeout. */
    private static boolean endOf(Socket client) throws IOException {
        try {
            return client.getInputStream().read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void descriptorsOfClosedChannelsAreUsedAgain() throws Exception {
        Socket first = connect(Echo::new);
        InetSocketAddress address = (InetSocketAddress) first.getRemoteSocketAddress();
        exchange(first);
        for (int i = 0; i < 500; i++) {
            first.close();
            first = new Socket(address.getAddress(), address.getPort());
            first.setSoTimeout(10_000);
            exchange(first);
        }
        first.close();
    }
}
