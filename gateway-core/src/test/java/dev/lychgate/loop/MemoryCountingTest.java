package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryCountingTest {
    private static final long MIB = 1 << 20;

    @Test
    void leavesRoomBelowTheJvmLimitForOneMoreChunkPerThread() {
        assertThat(MemoryCounting.limit(1024 * MIB, 1024 * MIB, 3)).isEqualTo((1024 - 4 * 4) * MIB);
        assertThat(MemoryCounting.limit(960 * MIB, 1024 * MIB, 3)).isEqualTo(960 * MIB);
    }

    @Test
    void theMarginIsAtMostHalfOfIt() {
        assertThat(MemoryCounting.limit(64 * MIB, 64 * MIB, 64)).isEqualTo(32 * MIB);
    }
}
