package dev.lychgate.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is written when no memory is left: the refusal reaches the caller as it is, and no buffer is lost. */
class FrameWriterTest {
    private final Scarce allocator = new Scarce();
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

    @Test
    void aRefusalOfTheBufferIsARefusal() {
        allocator.left = 0;
        assertThatThrownBy(() -> writer.headers(1, block(10), true)).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void aRefusalWhileFieldsAreCompressedIsARefusal() {
        allocator.left = 1;
        allocator.growing = false;
        assertThatThrownBy(() -> writer.headers(1, block(10_000), true)).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void aRefusalBetweenTwoFramesOfABlockLosesNoBuffer() {
        int refused = 0;
        // Some of these blocks leave no room for the heads of the frames behind the first one.
        for (int length = 87_000; length < 87_600; length += 10) {
            FrameWriter own = new FrameWriter(channel.pipeline().lastContext());
            allocator.left = 2;
            try {
                own.headers(1, block(length), true);
            } catch (OutOfMemoryError none) {
                refused++;
            }
            assertThat(allocator.last.refCnt())
                    .as("what is behind the first frame")
                    .isZero();
            own.release();
            channel.flush();
            channel.releaseOutbound();
        }
        assertThat(refused).isPositive();
    }

    @Test
    void aPieceWhoseFrameIsRefusedIsReleased() {
        allocator.left = 0;
        ByteBuf piece = Unpooled.directBuffer(10).writeZero(10);
        assertThatThrownBy(() -> writer.data(1, piece, true)).isInstanceOf(OutOfMemoryError.class);
        assertThat(piece.refCnt()).isZero();
    }

    /** Has memory for a few buffers only. */
    private static final class Scarce extends AbstractByteBufAllocator {
        private int left = Integer.MAX_VALUE;
        private boolean growing = true;
        private ByteBuf last = Unpooled.EMPTY_BUFFER;

        Scarce() {
            super(true);
        }

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initialCapacity, maxCapacity);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            if (left == 0) {
                throw new OutOfMemoryError("none is left");
            }
            left--;
            last = new UnpooledDirectByteBuf(this, initialCapacity, maxCapacity) {
                @Override
                public ByteBuf capacity(int newCapacity) {
                    if (!growing) {
                        throw new OutOfMemoryError("none is left");
                    }
                    return super.capacity(newCapacity);
                }
            };
            return last;
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }
    }
}
