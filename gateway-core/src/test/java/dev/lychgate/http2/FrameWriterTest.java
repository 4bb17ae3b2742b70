package dev.lychgate.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.testing.ScarceAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writes without memory: the channel's handlers get the refusal later, no more bytes are written, and no buffer is lost. */
class FrameWriterTest {
    private final ScarceAllocator allocator = new ScarceAllocator();
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final OutgoingFields fields = new OutgoingFields();
    private final FrameWriter writer;

    FrameWriterTest() {
        channel.config().setAllocator(allocator);
        writer = new FrameWriter(channel.pipeline().lastContext());
    }

    @AfterEach
    void release() {
        writer.release();
        channel.finishAndReleaseAll();
    }

    private OutgoingFields block(int length) {
        return fields.begin().status(200).fields(new DefaultHttpHeaders().add("x-padding", "p".repeat(length)));
    }

    private void assertRefused() {
        channel.checkException();
        assertThatThrownBy(() -> {
                    channel.runPendingTasks();
                    channel.checkException();
                })
                .isInstanceOf(OutOfMemoryError.class);
        writer.ping(1, true);
        writer.flush();
        assertThat(channel.<ByteBuf>readOutbound()).isNull();
    }

    @Test
    void reportsRefusedBufferOfFields() {
        allocator.leave(0);
        writer.headers(1, block(10), true);
        assertRefused();
    }

    @Test
    void reportsRefusedBufferOfReset() {
        allocator.leave(0);
        writer.reset(1, Http2Error.CANCEL);
        assertRefused();
    }

    @Test
    void reportsRefusalWhileFieldsAreCompressed() {
        allocator.leave(1);
        allocator.refuseGrowth();
        writer.headers(1, block(10_000), true);
        assertRefused();
    }

    @Test
    void releasesAllFramesOfBlockOfWhichOneIsRefused() {
        int refused = 0;
        // Some of these blocks leave no room for the heads of the frames after the first one.
        for (int length = 87_000; length < 87_600; length += 10) {
            FrameWriter own = new FrameWriter(channel.pipeline().lastContext());
            allocator.leave(2);
            own.headers(1, block(length), true);
            try {
                channel.runPendingTasks();
                channel.checkException();
            } catch (OutOfMemoryError none) {
                refused++;
            }
            assertThat(allocator.last().refCnt())
                    .as("the bytes after the first frame")
                    .isZero();
            own.release();
            channel.flush();
            channel.releaseOutbound();
        }
        assertThat(refused).isPositive();
    }

    @Test
    void releasesDataWhoseFrameIsRefused() {
        for (int length : new int[] {10, 10_000}) {
            allocator.leave(0);
            ByteBuf data = Unpooled.directBuffer(length).writeZero(length);
            FrameWriter own = new FrameWriter(channel.pipeline().lastContext());
            own.data(1, data, true);
            assertThat(data.refCnt()).isZero();
            own.release();
            assertThatThrownBy(() -> {
                        channel.runPendingTasks();
                        channel.checkException();
                    })
                    .isInstanceOf(OutOfMemoryError.class);
        }
    }
}
