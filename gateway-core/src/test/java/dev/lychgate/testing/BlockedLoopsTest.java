package dev.lychgate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.container;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

@Tag("slow")
class BlockedLoopsTest {
    @BeforeAll
    static void needsAJvmThatCanBeWatched() {
        assumeTrue(BlockedLoops.areWatched(), "this JVM does not let BlockHound rewrite the JDK");
    }

    @Test
    void failsAClassThatBlocksAnEventLoopEvenIfTheResultIsIgnored() {
        containersOf(SleepsOnTheLoop.class)
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                container(SleepsOnTheLoop.class),
                                finishedWithFailure(message(text -> text.contains("an event loop was blocked")
                                        && text.contains("java.lang.Thread.sleep") // or sleepNanos0, of JDK 25
                                        && text.contains("BlockedLoopsTest.java:")))));
    }

    @Test
    void failsAClassThatAcquiresAnUncontendedLockOnAnEventLoop() {
        containersOf(LocksOnTheLoop.class)
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                container(LocksOnTheLoop.class),
                                finishedWithFailure(message(text -> text.contains("an event loop was blocked")
                                        && text.contains("java.util.concurrent.locks.ReentrantLock")
                                        && text.contains("BlockedLoopsTest.java:")))));
    }

    @Test
    void passesAClassThatBlocksItsOwnThreads() {
        containersOf(SleepsElsewhere.class).assertStatistics(counts -> counts.failed(0));
    }

    @Test
    void passesAnOrdinaryServer() throws Exception {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            Channel server = new ServerBootstrap()
                    .group(loops)
                    .channel(NioServerSocketChannel.class)
                    .childHandler(new PlainServer())
                    .bind(InetAddress.getLoopbackAddress(), 0)
                    .sync()
                    .channel();
            try (RawClient client = RawClient.connect((InetSocketAddress) server.localAddress())) {
                assertThat(client.get("/").status()).isEqualTo(204);
            }
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    private static Events containersOf(Class<?> testClass) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                .selectors(selectClass(testClass))
                .execute()
                .containerEvents();
    }

    static class SleepsOnTheLoop {
        @Test
        void sleeps() throws Exception {
            EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
            loops.submit(() -> {
                        Thread.sleep(1);
                        return true;
                    })
                    .await();
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    static class LocksOnTheLoop {
        @Test
        void handsATaskToAnExecutorThatHasALock() throws Exception {
            EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
            ExecutorService executor = Executors.newSingleThreadExecutor();
            loops.submit(() -> executor.execute(() -> {})).await();
            executor.shutdown();
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    static class SleepsElsewhere {
        @Test
        void sleeps() throws Exception {
            Thread.sleep(1);
        }
    }

    private static final class PlainServer extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel channel) {
            channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(1024), new NoContent());
        }
    }

    private static final class NoContent extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the client detects the result
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            context.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT, Unpooled.EMPTY_BUFFER));
        }
    }
}
