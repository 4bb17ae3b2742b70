package dev.lychgate;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients and servers of gRPC in tests have their own event loops, which may wait for locks. */
@Tag("slow")
class LoopsOfOthersTest {
    @Test
    void mayBlock() throws Exception {
        EventLoopGroup loops = new NioEventLoopGroup(1);
        try {
            assertThat(loops.submit(() -> {
                                Thread.sleep(1);
                                return "slept";
                            })
                            .get(10, TimeUnit.SECONDS))
                    .isEqualTo("slept");
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }
}
