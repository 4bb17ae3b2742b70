package dev.lychgate.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.loop.Loop;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.loop.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS records pass complete, however they are split between reads, and the unfinished one counts until it ends. */
class UnfinishedRecordsTest {
    private static final byte[] HEADER_OF_300 = {22, 3, 3, 1, 44};

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Loop loop = new Loop(channel.eventLoop(), 0, Turn.unlimited());
    private final long before = MemoryBudget.OF_PROCESS.held();

    UnfinishedRecordsTest() {
        channel.pipeline().addLast(UnfinishedRecords.ofClient(channel, loop.memory()));
    }

    @AfterEach
    void everythingIsReleasedAtTheEnd() {
        channel.finishAndReleaseAll();
        assertThat(MemoryBudget.OF_PROCESS.held()).isEqualTo(before);
    }

    private static byte[] records(int... lengths) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int length : lengths) {
            bytes.writeBytes(new byte[] {23, 3, 3, (byte) (length >> 8), (byte) length});
            for (int i = 0; i < length; i++) {
                bytes.write(i);
            }
        }
        return bytes.toByteArray();
    }

    private byte[] passed() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuf bytes = channel.readInbound(); bytes != null; bytes = channel.readInbound()) {
            while (bytes.isReadable()) {
                all.write(bytes.readByte());
            }
            bytes.release();
        }
        return all.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5, 6, 7, 100, 305, 306, 400, 2000})
    void passesWhatComesInReadsOfAnySize(int read) {
        byte[] all = records(300, 0, 1, 90, 300);
        for (int at = 0; at < all.length; at += read) {
            channel.writeInbound(Unpooled.copiedBuffer(all, at, Math.min(read, all.length - at)));
        }
        assertThat(passed()).isEqualTo(all);
    }

    @Test
    void passesOnlyCompleteRecords() {
        byte[] all = records(90, 300);
        channel.writeInbound(Unpooled.copiedBuffer(all, 0, 396));
        assertThat(passed()).isEqualTo(records(90));
        channel.writeInbound(Unpooled.copiedBuffer(all, 396, 4));
        assertThat(passed()).isEqualTo(records(300));
    }

    @Test
    void countsTheUnfinishedRecordUntilItIsComplete() {
        byte[] all = records(16_000);
        channel.writeInbound(Unpooled.copiedBuffer(all, 0, 15_000));
        assertThat(MemoryBudget.OF_PROCESS.held() - before).isGreaterThanOrEqualTo(16_005);
        channel.writeInbound(Unpooled.copiedBuffer(all, 15_000, 1005));
        assertThat(MemoryBudget.OF_PROCESS.held()).isEqualTo(before);
        assertThat(passed()).isEqualTo(all);
    }

    @Test
    void discardsTheRecordWhenItsMemoryIsReclaimed() {
        byte[] all = records(16_000);
        long others = MemoryBudget.OF_PROCESS.left() - 10_000;
        assertThat(MemoryBudget.OF_PROCESS.take(others)).isTrue();
        try {
            channel.writeInbound(Unpooled.copiedBuffer(all, 0, 15_000));
            assertThat(channel.config().isAutoRead()).isFalse();
            channel.runPendingTasks();
            assertThat(channel.isOpen()).isFalse();
            assertThat(MemoryBudget.OF_PROCESS.left()).isEqualTo(10_000);
        } finally {
            MemoryBudget.OF_PROCESS.giveBack(others);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 9})
    void passesWhatIsNotTls(int read) {
        for (byte[] other : new byte[][] {
            {22, 2, 0, 0, 1, 9, 9, 9}, {22, 3, 3, (byte) 0xff, (byte) 0xff, 1, 2, 3}, {71, 69, 84, 32, 47, 32, 72, 84}
        }) {
            EmbeddedChannel one = new EmbeddedChannel(UnfinishedRecords.ofClient(channel, loop.memory()));
            int passed = 0;
            for (int at = 0; at < other.length; at += read) {
                one.writeInbound(Unpooled.copiedBuffer(other, at, Math.min(read, other.length - at)));
            }
            for (ByteBuf bytes = one.readInbound(); bytes != null; bytes = one.readInbound()) {
                passed += bytes.readableBytes();
                bytes.release();
            }
            assertThat(passed).isEqualTo(other.length);
            one.finishAndReleaseAll();
        }
    }

    @Test
    void releasesTheRecordWhenTheConnectionEnds() {
        channel.writeInbound(Unpooled.copiedBuffer(HEADER_OF_300));
        ByteBuf rest = Unpooled.buffer().writeZero(100);
        channel.writeInbound(rest);
        assertThat(rest.refCnt()).isZero();
        channel.close();
        assertThat(MemoryBudget.OF_PROCESS.held()).isEqualTo(before);
    }
}
