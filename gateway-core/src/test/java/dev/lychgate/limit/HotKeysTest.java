package dev.lychgate.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HotKeysTest {
    private static final long MINUTE = 60_000_000_000L;

    private final HotKeys keys = new HotKeys();

    private void refuse(long key, int times, long now) {
        for (int i = 0; i < times; i++) {
            keys.refused(key, () -> "key " + key, now);
        }
    }

    @Test
    void ordersKeysByTheirRefusals() {
        refuse(1, 3, 0);
        refuse(2, 5, 0);
        refuse(3, 1, 0);
        assertThat(keys.all(0)).containsExactly(new HotKey("key 2", 5), new HotKey("key 1", 3), new HotKey("key 3", 1));
    }

    @Test
    void findsAFrequentKeyInAFloodOfOthers() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100_000; i++) {
            long key = i % 10 == 0 ? 7 : random.nextLong();
            keys.refused(key, () -> "key " + key, 0);
        }
        List<HotKey> all = keys.all(0);
        assertThat(all).hasSize(HotKeys.PLACES);
        assertThat(all.get(0).key()).isEqualTo("key 7");
        assertThat(all.get(0).refused()).isBetween(10_000L, 10_000L + 100_000 / HotKeys.PLACES);
    }

    @Test
    void forgetsRefusalsWithTime() {
        refuse(1, 8, 0);
        refuse(2, 1, 0);
        assertThat(keys.all(MINUTE + 1)).containsExactly(new HotKey("key 1", 4));
        assertThat(keys.all(3 * MINUTE + 1)).containsExactly(new HotKey("key 1", 1));
        assertThat(keys.all(400 * MINUTE)).isEmpty();
    }
}
