package dev.lychgate.exchange.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.WebSockets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ends of frames, independent of the chunks of their bytes. */
class FrameTrackerTest {
    private final FrameTracker tracker = new FrameTracker();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 127, 65535, 65536, 100_000})
    void aFrameEndsAtItsLastByteAndNotBefore(int length) {
        for (byte[] frame : new byte[][] {
            WebSockets.masked(WebSockets.TEXT, new byte[length]), WebSockets.plain(WebSockets.TEXT, new byte[length])
        }) {
            for (int i = 0; i < frame.length; i++) {
                tracker.pass(Unpooled.wrappedBuffer(frame, i, 1));
                assertThat(tracker.isBetweenFrames()).isEqualTo(i == frame.length - 1);
            }
        }
    }

    @Test
    void sizesOfChunksMakeNoDifference() {
        Random random = new Random(6455);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < 500; i++) {
            byte[] payload = new byte[random.nextInt(i % 50 == 0 ? 70_000 : 300)];
            out.writeBytes(random.nextBoolean() ? WebSockets.masked(2, payload) : WebSockets.plain(2, payload));
        }
        byte[] all = out.toByteArray();
        int at = 0;
        while (at < all.length) {
            int length = Math.min(all.length - at, 1 + random.nextInt(1000));
            tracker.pass(Unpooled.wrappedBuffer(all, at, length));
            at += length;
        }
        assertThat(tracker.isBetweenFrames()).isTrue();
        assertThat(tracker.isClosed()).isFalse();
    }

    @Test
    void aCloseFrameCountsWhenItIsWhole() {
        byte[] frame = WebSockets.masked(WebSockets.CLOSE, WebSockets.closing(1000));
        tracker.pass(Unpooled.wrappedBuffer(frame, 0, frame.length - 1));
        assertThat(tracker.isClosed()).isFalse();
        tracker.pass(Unpooled.wrappedBuffer(frame, frame.length - 1, 1));
        assertThat(tracker.isClosed()).isTrue();
    }

    @Test
    void returnsTheBytesOfAChunkThatBelongToTheCurrentFrame() {
        byte[] frame = WebSockets.plain(WebSockets.TEXT, "hello");
        tracker.pass(Unpooled.wrappedBuffer(frame, 0, 3));
        ByteBuf piece =
                Unpooled.buffer().writeBytes(frame, 3, 4).writeBytes(frame).writeByte(0x81);
        assertThat(tracker.passFrame(piece)).isEqualTo(4);
        assertThat(tracker.isBetweenFrames()).isTrue();
        assertThat(tracker.passFrame(piece)).isZero();
        assertThat(piece.readerIndex()).isZero();
    }

    @Test
    void aLengthThatDoesNotExistNeverEnds() {
        tracker.pass(Unpooled.wrappedBuffer(new byte[] {(byte) 0x82, 127, -1, -1, -1, -1, -1, -1, -1, -1}));
        tracker.pass(Unpooled.wrappedBuffer(new byte[100_000]));
        assertThat(tracker.isBetweenFrames()).isFalse();
    }
}
