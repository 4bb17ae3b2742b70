package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.internal.OutOfDirectMemoryError;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class HeadroomTest {
    private static final Logger LOG = LoggerFactory.getLogger(HeadroomTest.class);
    private static final int MIB = 1 << 20;

    /** In MiB, and the share in KiB. */
    @ParameterizedTest
    @CsvSource({
        "512, 512, 512",
        "512, 256, 512",
        "512, 128, 256",
        "512,  64,  64",
        "512,  32,  16",
        "512,  16,   4",
        "512,   0,   4",
        " 64,  64, 512",
        " 64,  32, 128",
        " 64,   8,   8",
    })
    void theLimitOfAConnectionShrinksFasterThanTheFreeMemory(long all, long left, int share) {
        assertThat(Headroom.share(all * MIB, left * MIB)).isEqualTo(share << 10);
    }

    /** In KiB. */
    @ParameterizedTest
    @CsvSource({
        "65536, 4096, 2048, true",
        "65536, 4096, 2049, false",
        "65536, 2048,    4, true",
        "65536, 2048,    5, false",
        "65536,    4,    4, true",
        "65536,    3,    4, false",
    })
    void theLastPartIsForSmallBuffers(int all, int left, int bytes, boolean fits) {
        assertThat(Headroom.fits(bytes << 10, (long) all << 10, (long) left << 10))
                .isEqualTo(fits);
    }

    @Test
    void theLimitOfAConnectionRecoversWithTheFreeMemory() {
        EmbeddedChannel channel = new EmbeddedChannel();
        WriteBufferWaterMark usual = new WriteBufferWaterMark(1, 4096);
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 2));
        Headroom.bound(channel.config(), usual);
        assertThat(channel.config().getWriteBufferWaterMark()).isSameAs(usual);
        channel.finishAndReleaseAll();
    }

    @Test
    void readsGrowAsNettysDoWhileThereIsPlenty() {
        ExtendedHandle ours = new ReadSizes().newHandle();
        ExtendedHandle theirs =
                (ExtendedHandle) new AdaptiveRecvByteBufAllocator(2048, 4096, Headroom.MOST).newHandle();
        int first = ours.guess();
        for (int read = 0; read < 20; read++) {
            assertThat(ours.guess()).isEqualTo(Math.min(theirs.guess(), Headroom.share()));
            fill(ours);
            fill(theirs);
        }
        assertThat(first).isEqualTo(4096);
        assertThat(theirs.guess()).isEqualTo(Headroom.MOST);
    }

    private static void fill(ExtendedHandle handle) {
        handle.reset(new EmbeddedChannel().config());
        int size = handle.guess();
        handle.attemptedBytesRead(size);
        handle.lastBytesRead(size);
        handle.readComplete();
    }

    @Test
    void onlyALackOfMemoryIsARefusal() {
        long before = Headroom.refused();
        assertThat(Headroom.isRefusal(new IOException("reset"), LOG)).isFalse();
        assertThat(Headroom.refused()).isEqualTo(before);
        assertThat(Headroom.isRefusal(new OutOfMemoryError("none"), LOG)).isTrue();
        assertThat(Headroom.refused()).isEqualTo(before + 1);
        assertThat(OutOfDirectMemoryError.class).isAssignableTo(OutOfMemoryError.class);
    }
}
