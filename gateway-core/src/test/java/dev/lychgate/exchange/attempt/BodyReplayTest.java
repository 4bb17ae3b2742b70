package dev.lychgate.exchange.attempt;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.loop.Loop;
import dev.lychgate.loop.VirtualLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** The part of a body that is kept for sending it again. */
class BodyReplayTest {
    private static final Loop LOOP = new VirtualLoop(new EmbeddedChannel().eventLoop());

    private static void keep(BodyReplay replay, String text) {
        ByteBuf piece = ByteBufUtil.writeAscii(UnpooledByteBufAllocator.DEFAULT, text);
        replay.keep(piece);
        assertThat(piece.toString(US_ASCII)).isEqualTo(text);
        assertThat(piece.refCnt()).isOne();
        piece.release();
    }

    private static BodyReplay replay(long limit) {
        return new BodyReplay(UnpooledByteBufAllocator.DEFAULT, LOOP.memory(), limit);
    }

    private static String again(BodyReplay replay) {
        ByteBuf all = requireNonNull(replay.again());
        String text = all.toString(US_ASCII);
        all.release();
        return text;
    }

    @Test
    void replaysTheBodyAnyNumberOfTimes() {
        try (BodyReplay replay = replay(10)) {
            keep(replay, "hello");
            keep(replay, "");
            keep(replay, "world");

            assertThat(replay.isWhole()).isTrue();
            assertThat(again(replay)).isEqualTo("helloworld");
            assertThat(again(replay)).isEqualTo("helloworld");
        }
    }

    @Test
    void replayedBytesStayUnchangedWhenMoreIsKept() {
        try (BodyReplay replay = replay(100_000)) {
            keep(replay, "hello");
            ByteBuf first = requireNonNull(replay.again());
            keep(replay, "x".repeat(50_000));

            assertThat(first.toString(US_ASCII)).isEqualTo("hello");
            first.release();
        }
    }

    @Test
    void keepsNothingOfABodyThatIsTooLong() {
        UnpooledByteBufAllocator own = new UnpooledByteBufAllocator(false);
        try (BodyReplay replay = new BodyReplay(own, LOOP.memory(), 5)) {
            keep(replay, "hello");
            assertThat(replay.isWhole()).isTrue();
            assertThat(own.metric().usedHeapMemory()).isPositive();

            for (String more : new String[] {"!", "x"}) {
                keep(replay, more);
                assertThat(replay.isWhole()).isFalse();
                assertThat(own.metric().usedHeapMemory()).isZero();
            }
        }
    }

    @Test
    void anEmptyBodyIsCompleteAndHasNoBytes() {
        try (BodyReplay replay = replay(0)) {
            assertThat(replay.isWhole()).isTrue();
            assertThat(replay.again()).isNull();
        }
    }
}
