package dev.lychgate.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.codec.DecoderLimits;
import dev.lychgate.loop.VirtualLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A frame that continues in a further read costs a copy of this frame, and not of the whole read. */
class IncompleteFramesTest {
    private static final int UNKNOWN_TYPE = 0xee;
    private static final int LENGTH = 1000;
    private static final int FRAMES = 20;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Peer connection = new Peer(channel);

    IncompleteFramesTest() {
        connection.start();
    }

    @AfterEach
    void close() {
        assertThat(channel.finishAndReleaseAll()).isTrue();
    }

    private static final class Peer extends Http2Connection {
        private @Nullable Http2Fault fault;

        Peer(EmbeddedChannel channel) {
            super(
                    new VirtualLoop(channel.eventLoop()),
                    channel,
                    new Http2Limits(DecoderLimits.ORIGIN, 100, 1 << 16, 0, 0));
        }

        void start() {
            begin();
        }

        /** Returns the buffer with the bytes that are held. */
        ByteBuf held() {
            return internalBuffer();
        }

        int heldBytes() {
            return actualReadableBytes();
        }

        @Override
        protected int lastPeerStream() {
            return 0;
        }

        @Override
        protected void onClosed() {}

        @Override
        boolean isIdle(int id) {
            return true;
        }

        @Override
        void open(int id, HeaderFields first, boolean end) {}

        @Override
        protected void onGoAway(int lastStream, Http2Error error) {}

        @Override
        protected void onFault(Http2Fault reported) {
            fault = reported;
        }

        @Override
        protected void onLastWord(Http2Error error) {}

        @Override
        protected void onFarewell() {}
    }

    /** SETTINGS, and then frames of a type that a peer must ignore. */
    private static ByteBuf frames() {
        ByteBuf bytes = Unpooled.directBuffer();
        bytes.writeMedium(0).writeByte(FrameType.SETTINGS).writeByte(0).writeInt(0);
        for (int i = 0; i < FRAMES; i++) {
            bytes.writeMedium(LENGTH).writeByte(UNKNOWN_TYPE).writeByte(0).writeInt(0);
            bytes.writeZero(LENGTH);
        }
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 9, 10, 12, 18, 30, 1017, 1018, 1019, 1026, 1027, 1500})
    void theFurtherReadIsNotCopied(int firstRead) {
        ByteBuf bytes = frames();
        int rest = bytes.readableBytes() - firstRead - 5;
        channel.writeInbound(bytes.readRetainedSlice(firstRead));
        ByteBuf second = bytes.readRetainedSlice(rest);
        channel.writeInbound(second);

        assertThat(connection.held()).isSameAs(second);
        assertThat(connection.heldBytes()).isEqualTo(LENGTH - 5);
        assertThat(connection.messages()).isEqualTo(FRAMES);

        channel.writeInbound(bytes);
        assertThat(connection.heldBytes()).isZero();
        assertThat(connection.messages()).isEqualTo(1 + FRAMES);
        assertThat(connection.fault).isNull();
    }

    @Test
    void framesAreCompletedByteByByte() {
        ByteBuf bytes = frames();
        while (bytes.isReadable()) {
            channel.writeInbound(bytes.readRetainedSlice(1));
        }
        bytes.release();
        assertThat(connection.messages()).isEqualTo(1 + FRAMES);
        assertThat(connection.fault).isNull();
    }

    @Test
    void framesThatEndWithTheirReadHoldNoBytes() {
        ByteBuf bytes = frames();
        channel.writeInbound(bytes.readRetainedSlice(FrameType.HEAD + 3));
        channel.writeInbound(bytes);
        assertThat(connection.heldBytes()).isZero();
        assertThat(connection.messages()).isEqualTo(1 + FRAMES);
    }
}
