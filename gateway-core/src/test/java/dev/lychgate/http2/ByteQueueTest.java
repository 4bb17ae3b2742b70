package dev.lychgate.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.ScarceAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ByteQueueTest {
    private final ByteQueue queue = new ByteQueue(UnpooledByteBufAllocator.DEFAULT);

    private static ByteBuf piece(String text) {
        return Unpooled.copiedBuffer(text, US_ASCII);
    }

    private String take(int most) {
        ByteBuf taken = queue.take(most);
        try {
            return taken.toString(US_ASCII);
        } finally {
            taken.release();
        }
    }

    @Test
    void returnsBytesInOrderAndInChunks() {
        queue.add(piece("abcdef"));
        queue.add(piece("ghi"));
        assertThat(queue.bytes()).isEqualTo(9);
        assertThat(take(2)).isEqualTo("ab");
        assertThat(take(100)).isEqualTo("cdef");
        assertThat(take(1)).isEqualTo("g");
        queue.add(piece("jk"));
        assertThat(take(100)).isEqualTo("hijk");
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void keepsPieceItselfWhereNoMemoryIsLeftForCopy() {
        ByteQueue poor = new ByteQueue(new ScarceAllocator().leave(0));
        ByteBuf second = piece("b");
        poor.add(piece("a"));
        poor.add(second);
        assertThat(poor.bytes()).isEqualTo(2);
        assertThat(second.refCnt()).isEqualTo(1);
        assertThat(poor.clear()).isEqualTo(2);
        assertThat(second.refCnt()).isZero();
    }

    @Test
    void usesNoMemoryForEmptyChunks() {
        queue.add(piece(""));
        queue.keep(piece(""));
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void immediatelyReadBytesAreNotCopied() {
        ByteBuf first = piece("a");
        queue.add(first);
        ByteBuf taken = queue.take(10);
        assertThat(taken).isSameAs(first);
        taken.release();
    }

    @Test
    void copiedBytesReleaseTheirBufferAtOnce() {
        ByteBuf large = Unpooled.buffer(1 << 20).writeZero(5000);
        queue.keep(large.readRetainedSlice(5000));
        assertThat(large.refCnt()).isEqualTo(1);
        large.release();
        assertThat(queue.clear()).isEqualTo(5000);
    }

    @Test
    void aThousandBytesOneByOneTakeOneBuffer() {
        for (int i = 0; i < 1000; i++) {
            queue.keep(piece("x"));
        }
        assertThat(take(2000)).hasSize(1000);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void losesNothingWhateverTheSizes() {
        SplittableRandom random = new SplittableRandom(7);
        long in = 0;
        long out = 0;
        byte next = 0;
        byte expected = 0;
        for (int i = 0; i < 5_000; i++) {
            if (random.nextInt(2) == 0) {
                byte[] bytes = new byte[random.nextInt(random.nextInt(1, 9000))];
                for (int j = 0; j < bytes.length; j++) {
                    bytes[j] = next++;
                }
                in += bytes.length;
                if (random.nextBoolean()) {
                    queue.add(Unpooled.wrappedBuffer(bytes));
                } else {
                    queue.keep(Unpooled.wrappedBuffer(bytes));
                }
            } else if (!queue.isEmpty()) {
                ByteBuf taken = queue.take(random.nextInt(1, 20_000));
                out += taken.readableBytes();
                byte[] wanted = new byte[taken.readableBytes()];
                for (int j = 0; j < wanted.length; j++) {
                    wanted[j] = expected++;
                }
                assertThat(taken.equals(Unpooled.wrappedBuffer(wanted))).isTrue();
                taken.release();
            }
            assertThat(queue.bytes()).isEqualTo((int) (in - out));
        }
        assertThat(queue.clear()).isEqualTo((int) (in - out));
    }
}
