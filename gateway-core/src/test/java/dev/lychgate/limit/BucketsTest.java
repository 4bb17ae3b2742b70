package dev.lychgate.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets admit the burst at once, and from then on the rate; compared with a model of one bucket per key. */
class BucketsTest {
    private static final long SECOND = 1_000_000_000L;

    /** A bucket with a level that rises, in exact units of a nanosecond. */
    private static final class Model {
        private final long interval;
        private final long burst;
        private long missing;
        private long at;

        Model(long interval, long burst) {
            this.interval = interval;
            this.burst = burst;
        }

        private void rise(long now) {
            missing = Math.max(0, missing - (now - at));
            at = now;
        }

        boolean take(long units, long now) {
            rise(now);
            if (missing + units * interval > burst * interval || (units == 0 && missing == burst * interval)) {
                return false;
            }
            missing += units * interval;
            return true;
        }

        long left(long now) {
            rise(now);
            return (burst * interval - missing) / interval;
        }

        long wait(long units, long now) {
            rise(now);
            return Math.max(1, missing + units * interval - burst * interval);
        }

        void charge(long units, long now) {
            rise(now);
            missing += units * interval;
        }
    }

    @Test
    void admitsTheBurstAndThenTheRate() {
        Buckets buckets = new Buckets(100, SECOND / 10, 5, new LongAdder());
        for (int left = 4; left >= 0; left--) {
            assertThat(buckets.take(7, 1, SECOND)).isEqualTo(left);
        }
        assertThat(buckets.take(7, 1, SECOND)).as("a tenth of a second").isEqualTo(-SECOND / 10);
        assertThat(buckets.take(7, 1, SECOND + SECOND / 10 - 1)).isEqualTo(-1);
        assertThat(buckets.take(7, 1, SECOND + SECOND / 10)).isZero();
        assertThat(buckets.take(8, 1, SECOND)).as("another key").isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void decidesLikeAModelOfOneBucketPerKey(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long interval = random.nextLong(1, SECOND);
        long burst = random.nextLong(1, 50);
        // More places than keys: no key shares a bucket.
        Buckets buckets = new Buckets(4096, interval, burst, new LongAdder());
        Map<Long, Model> models = new HashMap<>();
        List<Long> keys = new ArrayList<>(random.longs(20).boxed().toList());
        keys.add(0L);
        long now = 1;
        for (int i = 0; i < 100_000; i++) {
            now += random.nextInt(3) == 0 ? random.nextLong(interval) : 0;
            long key = keys.get(random.nextInt(keys.size()));
            Model model = models.computeIfAbsent(key, k -> new Model(interval, burst));
            long units = random.nextLong(0, burst + 2);
            if (random.nextInt(10) == 0) {
                model.charge(units, now);
                assertThat(buckets.charge(key, units, now)).isEqualTo(Math.max(0, model.left(now)));
            } else {
                boolean admitted = model.take(units, now);
                long decision = buckets.take(key, units, now);
                assertThat(decision)
                        .as("decision %s", i)
                        .isEqualTo(admitted ? model.left(now) : -model.wait(units, now));
            }
        }
    }

    @Test
    void keepsRatesThatAreNoWholeNumberOfNanoseconds() {
        Buckets buckets = new Buckets(10, 1e9 / 700_000, 1000, new LongAdder());
        long admitted = 0;
        for (long now = SECOND; now < 11 * SECOND; now += 1000) {
            admitted += buckets.take(1, 1, now) >= 0 ? 1 : 0;
        }
        assertThat(admitted).isCloseTo(7_001_000, within(100L));
    }

    @Test
    void admitsNothingAfterADebtUntilItIsRepaid() {
        Buckets buckets = new Buckets(10, SECOND / 100, 100, new LongAdder());
        assertThat(buckets.charge(1, 1100, SECOND)).isZero();
        assertThat(buckets.take(1, 0, SECOND)).isEqualTo(-10 * SECOND);
        assertThat(buckets.take(1, 0, 11 * SECOND)).isEqualTo(-1);
        assertThat(buckets.take(1, 0, 11 * SECOND + 1)).isZero();
        assertThat(buckets.charge(1, Long.MAX_VALUE, 12 * SECOND)).isZero();
        assertThat(buckets.take(1, 0, 13 * SECOND))
                .as("a year")
                .isBetween(-400L * 86_400 * SECOND, -300L * 86_400 * SECOND);
    }

    @Test
    void isExactOverThreadsForOneKeyAndForManyKeys() throws Exception {
        for (int round = 0; round < 30; round++) {
            int keys = round % 2 == 0 ? 1 : 37;
            long burst = 10_000;
            Buckets buckets = new Buckets(4096, SECOND, burst, new LongAdder());
            AtomicLong[] admitted = new AtomicLong[keys];
            for (int i = 0; i < keys; i++) {
                admitted[i] = new AtomicLong();
            }
            int threads = 4;
            CyclicBarrier barrier = new CyclicBarrier(threads);
            List<Thread> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                long seed = round * 100L + t;
                Thread thread = new Thread(() -> {
                    SplittableRandom random = new SplittableRandom(seed);
                    try {
                        barrier.await();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                    for (int i = 0; i < keys * burst / 2; i++) {
                        int key = random.nextInt(keys);
                        if (buckets.take(0x9E3779B97F4A7C15L * (key + 1), 1, SECOND) >= 0) {
                            admitted[key].incrementAndGet();
                        }
                    }
                });
                all.add(thread);
                thread.start();
            }
            for (Thread thread : all) {
                thread.join();
            }
            for (AtomicLong one : admitted) {
                assertThat(one.get()).isEqualTo(burst);
            }
        }
    }

    @Test
    void aFloodOfKeysEvictsNoKeyAndResetsNone() {
        Buckets buckets = new Buckets(1024, SECOND, 3, new LongAdder());
        SplittableRandom random = new SplittableRandom(1);
        long[] used = random.longs(300).toArray();
        for (long key : used) {
            assertThat(buckets.take(key, 3, SECOND)).isNotNegative();
        }
        long admitted = 0;
        for (int i = 0; i < 1_000_000; i++) {
            admitted += buckets.take(random.nextLong(), 1, SECOND) >= 0 ? 1 : 0;
        }
        for (long key : used) {
            assertThat(buckets.take(key, 1, SECOND))
                    .as("a key that has used its burst")
                    .isNegative();
        }
        int sets = buckets.places() / Buckets.WAYS;
        assertThat(admitted)
                .as("one request for each free place, and the burst of one key for each set")
                .isLessThanOrEqualTo(buckets.places() - used.length + 3L * sets);
        // Once the buckets are full again, their places are free.
        assertThat(buckets.take(random.nextLong(), 1, 5 * SECOND)).isEqualTo(2);
    }

    @Test
    void givesPlacesToOtherKeysWhileThreadsUseThem() throws Exception {
        // One set, more keys than places, and a clock that frees places all the time.
        Buckets buckets = new Buckets(8, 1000, 2, new LongAdder());
        AtomicLong clock = new AtomicLong(SECOND);
        int threads = 4;
        int keys = 12;
        AtomicLong[] admitted = new AtomicLong[keys];
        for (int i = 0; i < keys; i++) {
            admitted[i] = new AtomicLong();
        }
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            long seed = t;
            Thread thread = new Thread(() -> {
                SplittableRandom random = new SplittableRandom(seed);
                for (int i = 0; i < 500_000; i++) {
                    int key = random.nextInt(keys);
                    if (buckets.take(key + 1, 1, clock.addAndGet(100)) >= 0) {
                        admitted[key].incrementAndGet();
                    }
                }
            });
            all.add(thread);
            thread.start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        long units = (clock.get() - SECOND) / 1000;
        for (AtomicLong one : admitted) {
            assertThat(one.get()).as("its own bucket and the shared one").isLessThanOrEqualTo(2 * (units + 2) + 20);
        }
    }
}
