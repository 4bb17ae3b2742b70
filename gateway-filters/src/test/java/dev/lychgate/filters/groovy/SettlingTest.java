package dev.lychgate.filters.groovy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The time at which files under change are read, with a fake clock and a poll every 40 ms. */
class SettlingTest {
    private static final long LOOK = 40;

    private final Map<String, Long> sizes = new HashMap<>(Map.of("a", 100L, "b", 100L));
    private final Settling settling = new Settling("100 100 0", Map.copyOf(sizes));
    private final List<String> events = new ArrayList<>();
    private long writes;
    private long now;

    private void write(String file, long size) {
        sizes.put(file, size);
        writes++;
    }

    /** Advances the clock, in milliseconds. */
    private void pass(long length) {
        for (long end = now + length; now < end; ) {
            now = Math.min(now + LOOK, end);
            long nanos = now * 1_000_000;
            settling.look(sizes + " " + writes, Map.copyOf(sizes), nanos);
            if (settling.isDue(nanos)) {
                events.add("read at " + sizes.get("a"));
            }
            if (settling.isSettled(nanos)) {
                events.add("settled");
            }
        }
    }

    private void begin() {
        pass(10_000);
        events.clear();
    }

    @Test
    void nothingIsDueWhileNothingChanges() {
        begin();
        pass(60_000);
        assertThat(events).isEmpty();
    }

    @Test
    void aFileThatIsSavedOnceIsReadAfterAShortRest() {
        begin();
        write("a", 120);
        pass(240);
        assertThat(events).containsExactly("read at 120");
        pass(10_000);
        assertThat(events).containsExactly("read at 120", "settled");
    }

    @Test
    void aSlowCopyIsReadAfterItsFirstPartAndWhenItIsComplete() {
        begin();
        for (long size = 10; size <= 80; size += 10) {
            write("a", size);
            pass(400);
        }
        assertThat(events).containsExactly("read at 10");
        pass(5_000);
        assertThat(events).containsExactly("read at 10", "read at 80", "settled");
    }

    @Test
    void aCopyInManySmallPartsIsReadWhenItIsComplete() {
        begin();
        for (long size = 1; size <= 100; size++) {
            write("c", size);
            pass(100);
        }
        assertThat(events).isEmpty();
        pass(5_000);
        assertThat(events).containsExactly("read at 100", "settled");
    }

    @Test
    void aFileThatGrowsWithoutEndIsReadAfterHalfAMinute() {
        begin();
        for (long size = 1; size <= 400; size++) {
            write("a", size);
            pass(100);
        }
        assertThat(events).hasSize(1);
    }

    @Test
    void aFileThatChangesWithoutEndAndDoesNotGrowIsReadAfterASecond() {
        begin();
        for (int i = 0; i < 15; i++) {
            write("a", 100);
            pass(100);
        }
        assertThat(events).containsExactly("read at 100");
    }

    @Test
    void aFileThatIsRepeatedlyEmptiedAndWrittenIsNoCopy() {
        begin();
        for (int i = 0; i < 8; i++) {
            write("a", 0);
            pass(100);
            write("a", 100);
            pass(100);
        }
        assertThat(events).hasSize(1);
    }

    @Test
    void twoSavesFarApartAreNoCopy() {
        begin();
        write("a", 120);
        pass(3_000);
        write("a", 140);
        pass(240);
        assertThat(events).containsExactly("read at 120", "settled", "read at 140");
    }

    @Test
    void theGrowthOfOneFileDoesNotDelayAnother() {
        begin();
        write("a", 120);
        pass(240);
        write("b", 120);
        pass(240);
        assertThat(events).containsExactly("read at 120", "read at 120");
    }

    @Test
    void filesSettleOnlyTwoSecondsAfterTheLastWrite() {
        begin();
        write("a", 120);
        pass(1_900);
        write("a", 90);
        pass(1_900);
        assertThat(events).containsExactly("read at 120", "read at 90");
        pass(200);
        assertThat(events).containsExactly("read at 120", "read at 90", "settled");
    }
}
