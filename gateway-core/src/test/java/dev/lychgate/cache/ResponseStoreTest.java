package dev.lychgate.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.ByteSize;
import dev.lychgate.config.CacheMemoryConfig;
import dev.lychgate.loop.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store of responses: its bounds, its order of eviction, and the ownership of bodies. */
class ResponseStoreTest {
    private static final int ALL = 100_000;

    private ResponseStore store = Stored.store(ByteSize.ofMiB(1), ALL);

    @AfterEach
    void returnsAllMemory() {
        store.close();
        assertThat(store.entries()).isZero();
        assertThat(store.memory().used()).isZero();
    }

    private static Vary varyOn(String name, String value) {
        HttpHeaders request = Stored.with(name, value);
        return Objects.requireNonNull(Vary.of(Stored.with("vary", name), request, request));
    }

    // ---- find and store

    @Test
    void findsTheResponseOfAKey() {
        Stored.put(store, "/a", 10, 1);
        assertThat(Stored.uses(store, "/a")).isTrue();
        assertThat(Stored.uses(store, "/b")).isFalse();
        assertThat(store.has(Stored.key("/a"))).isTrue();
    }

    @Test
    void replacesTheResponseThatTheSameRequestsSelect() {
        Stored.put(store, "/a", 10, 1);
        Stored.put(store, "/a", 20, 2);
        assertThat(store.entries()).isEqualTo(1);
        StoredResponse found = Objects.requireNonNull(store.find(Stored.key("/a"), EmptyHttpHeaders.INSTANCE));
        assertThat(found.body.length()).isEqualTo(20);
        found.body.release();
    }

    @Test
    void keepsOneResponsePerSelectingValue() {
        for (String value : List.of("de", "en", "de")) {
            Vary vary = varyOn("accept-language", value);
            StoredResponse response = Stored.response(store, "/a", vary, Stored.bytes(10), 1);
            assertThat(store.put(response, Stored.with("accept-language", value), 1))
                    .isTrue();
        }
        assertThat(store.entries()).isEqualTo(2);
        assertThat(store.find(Stored.key("/a"), Stored.with("accept-language", "fr")))
                .isNull();
        StoredResponse found =
                Objects.requireNonNull(store.find(Stored.key("/a"), Stored.with("accept-language", "en")));
        assertThat(found.vary.matches(Stored.with("accept-language", "en"))).isTrue();
        found.body.release();
    }

    /** A client that sends ever new values of a selecting field can't fill the store with responses to one URI. */
    @Test
    void keepsABoundedNumberOfResponsesPerKey() {
        for (int i = 0; i < 100; i++) {
            String value = "v" + i;
            StoredResponse response = Stored.response(store, "/a", varyOn("x-a", value), Stored.bytes(10), 1);
            store.put(response, Stored.with("x-a", value), 1);
        }
        assertThat(store.entries()).isEqualTo(ResponseStore.MOST_VARIANTS);
    }

    /** Nor can it displace the responses that others use. */
    @Test
    void replacesResponsesOfTheSameKeyThatWereNotUsed() {
        HttpHeaders popular = Stored.with("x-a", "popular");
        store.put(Stored.response(store, "/a", varyOn("x-a", "popular"), Stored.bytes(10), 1), popular, 1);
        Objects.requireNonNull(store.find(Stored.key("/a"), popular)).body.release();
        for (int i = 0; i < 100; i++) {
            String value = "v" + i;
            StoredResponse response = Stored.response(store, "/a", varyOn("x-a", value), Stored.bytes(10), 1);
            store.put(response, Stored.with("x-a", value), 1);
        }
        assertThat(store.entries()).isEqualTo(ResponseStore.MOST_VARIANTS);
        Objects.requireNonNull(store.find(Stored.key("/a"), popular)).body.release();
    }

    // ---- bounds

    @Test
    void staysWithinItsMemoryUnderAWorkingSetTenTimesLarger() {
        SplittableRandom random = new SplittableRandom(1);
        long stored = 0;
        for (int i = 0; stored < 10 << 20; i++) {
            int length = random.nextInt(40_000);
            if (Stored.put(store, "/" + i, length, i + 1)) {
                stored += length;
            }
            assertThat(store.memory().used()).isLessThanOrEqualTo(1 << 20);
        }
        assertThat(store.memory().used()).isGreaterThan(900 << 10);
        assertThat(store.evictions()).isPositive();
    }

    @Test
    void staysWithinItsNumberOfEntries() {
        store.close();
        store = Stored.store(ByteSize.ofMiB(1), 100);
        for (int i = 0; i < 1000; i++) {
            assertThat(Stored.put(store, "/" + i, 10, i + 1)).isTrue();
            assertThat(store.entries()).isLessThanOrEqualTo(100);
        }
    }

    @Test
    void countsAgainstTheMemoryBudgetOfTheProcessAndLeavesHalfOfIt() {
        store.close();
        MemoryBudget budget = new MemoryBudget(1 << 20);
        store = new ResponseStore(new CacheMemoryConfig(ByteSize.ofMiB(64), ALL), budget);
        for (int i = 0; i < 100; i++) {
            Stored.put(store, "/" + i, 20_000, i + 1);
            assertThat(budget.held()).isEqualTo(store.memory().used()).isLessThanOrEqualTo(512 << 10);
        }
        assertThat(budget.held()).isGreaterThan(400 << 10);
        // The cache gives way to messages in progress.
        assertThat(budget.take(500 << 10)).isTrue();
        assertThat(Stored.put(store, "/late", 20_000, 101)).isFalse();
        assertThat(budget.held()).isLessThanOrEqualTo(512 << 10);
        budget.giveBack(500 << 10);
    }

    @Test
    void shrinksToSmallerBounds() {
        for (int i = 0; i < 40; i++) {
            Stored.put(store, "/" + i, 20_000, i + 1);
        }
        store.limit(new CacheMemoryConfig(ByteSize.ofMiB(1), 16));
        assertThat(store.entries()).isLessThanOrEqualTo(16);
    }

    @Test
    void refusesABodyThatIsLargerThanAllMemory() {
        Stored.put(store, "/a", 10, 1);
        assertThat(Stored.put(store, "/b", 2 << 20, 2)).isFalse();
    }

    /** Frequent updates of one response must not collect places of its predecessors. */
    @Test
    void dequeuesThePlacesOfReplacedResponses() {
        for (int i = 0; i < 10_000; i++) {
            Stored.put(store, "/" + i % 3, 10, i + 1);
        }
        assertThat(store.places()).isLessThan(1000);
        assertThat(store.entries()).isEqualTo(3);
    }

    // ---- eviction

    @Test
    void keepsPopularResponsesDuringAFloodOfOthers() {
        for (int i = 0; i < 10; i++) {
            Stored.put(store, "/popular" + i, 10_000, 1);
        }
        int hits = 0;
        int uses = 0;
        for (int i = 0; i < 5_000; i++) {
            Stored.put(store, "/flood" + i, 10_000, i + 2);
            if (i % 5 == 0) {
                String path = "/popular" + (i / 5) % 10;
                uses++;
                if (Stored.uses(store, path)) {
                    hits++;
                } else {
                    Stored.put(store, path, 10_000, i + 2);
                }
            }
        }
        assertThat(hits).isGreaterThan(uses * 9 / 10);
    }

    // ---- bodies

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 131_072, 200_000})
    void storesBodiesOfAnyLengthByteByByte(int length) {
        byte[] bytes = Stored.bytes(length);
        for (long announced : new long[] {length, -1}) {
            StoredBody body = Objects.requireNonNull(Stored.body(store, bytes, announced));
            assertThat(body.length()).isEqualTo(length);
            assertThat(body.bytes()).isBetween((long) length, Math.max(4096L, 2L * length));
            assertThat(Stored.text(new BodyReader(body, 0, length)))
                    .isEqualTo(new String(bytes, StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void readsRangesAcrossBuffers() {
        byte[] bytes = Stored.bytes(200_000);
        StoredBody body = Objects.requireNonNull(Stored.body(store, bytes, bytes.length));
        assertThat(Stored.text(new BodyReader(body, 65_530, 70_000)))
                .isEqualTo(new String(bytes, 65_530, 70_000, StandardCharsets.ISO_8859_1));
    }

    @Test
    void givesReadersSlicesOfLimitedLengthThatTheyCannotChange() {
        byte[] bytes = Stored.bytes(200_000);
        StoredBody body = Objects.requireNonNull(Stored.body(store, bytes, bytes.length));
        BodyReader reader = new BodyReader(body, 0, bytes.length);
        List<Integer> lengths = new ArrayList<>();
        while (reader.hasNext()) {
            ByteBuf slice = reader.next();
            lengths.add(slice.readableBytes());
            slice.release();
        }
        assertThat(lengths).containsExactly(65_536, 65_536, 65_536, 3392);
        reader.close();

        StoredBody other = Objects.requireNonNull(Stored.body(store, bytes, bytes.length));
        BodyReader whole = new BodyReader(other, 0, bytes.length);
        ByteBuf all = whole.all();
        assertThat(all.isReadOnly()).isTrue();
        all.release();
        whole.close();
    }

    @Test
    void keepsTheMemoryOfARemovedBodyUntilItsReaderCloses() {
        Stored.put(store, "/a", 100_000, 1);
        StoredResponse found = Objects.requireNonNull(store.find(Stored.key("/a"), EmptyHttpHeaders.INSTANCE));
        BodyReader slow = new BodyReader(found.body, 0, 100_000);
        store.remove(found);
        assertThat(store.entries()).isZero();
        assertThat(store.memory().used()).isEqualTo(100_000);
        assertThat(Stored.uses(store, "/a")).isFalse();
        assertThat(Stored.text(slow)).hasSize(100_000);
        assertThat(store.memory().used()).isZero();
    }

    /** Clients that read slowly can occupy the memory, but they can't empty the cache. */
    @Test
    void evictsNothingInFavorOfOthersWhileSlowReadersHoldMostOfTheMemory() {
        List<BodyReader> slow = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Stored.put(store, "/slow" + i, 100_000, i + 1);
            StoredResponse found =
                    Objects.requireNonNull(store.find(Stored.key("/slow" + i), EmptyHttpHeaders.INSTANCE));
            slow.add(new BodyReader(found.body, 0, 100_000));
            store.remove(found);
        }
        for (int i = 0; i < 20; i++) {
            Stored.put(store, "/a" + i, 20_000, 10);
        }
        long evicted = store.evictions();
        int entries = store.entries();
        assertThat(Stored.put(store, "/late", 60_000, 11)).isFalse();
        assertThat(store.evictions()).isEqualTo(evicted);
        assertThat(store.entries()).isEqualTo(entries);
        slow.forEach(BodyReader::close);
        assertThat(Stored.put(store, "/late", 60_000, 11)).isTrue();
    }

    @Test
    void storesNoBodyThatDiffersFromItsAnnouncedLength() {
        byte[] bytes = Stored.bytes(100);
        assertThat(Stored.body(store, bytes, 99)).isNull();
        assertThat(Stored.body(store, bytes, 101)).isNull();
    }

    // ---- invalidation

    @Test
    void findsNoResponseThatWasStoredBeforeAnInvalidation() {
        Stored.put(store, "/a", 10, 100);
        for (int i = 0; i < 10; i++) {
            Stored.put(store, "/b" + i, 10, 100);
        }
        store.invalidate(Stored.key("/a").target(), 200);
        assertThat(Stored.uses(store, "/a")).isFalse();
        int valid = 0;
        for (int i = 0; i < 10; i++) {
            valid += Stored.uses(store, "/b" + i) ? 1 : 0;
        }
        // The hashes have a random factor: one of 4,096 targets shares its stamp with another one by chance.
        assertThat(valid).isGreaterThan(7);
    }

    @Test
    void storesNoResponseThatWasRequestedBeforeAnInvalidation() {
        store.invalidate(Stored.key("/a").target(), 200);
        assertThat(Stored.put(store, "/a", 10, 150)).isFalse();
        assertThat(Stored.put(store, "/a", 10, 201)).isTrue();
        assertThat(Stored.uses(store, "/a")).isTrue();
    }

    /** The event loop of the unsafe request may record its time later than another one stores the response. */
    @Test
    void findsNoResponseThatWasRequestedBeforeAnInvalidationAndArrivedAfterIt() {
        StoredResponse response = Stored.response(store, "/a", Vary.NONE, Stored.bytes(10), 300);
        assertThat(store.put(response, EmptyHttpHeaders.INSTANCE, 100)).isTrue();
        store.invalidate(Stored.key("/a").target(), 200);
        assertThat(Stored.uses(store, "/a")).isFalse();
    }

    /** Clients choose paths, and texts with equal hash codes are easy to construct. */
    @Test
    void invalidatesNoOtherTargetWithTheSameHashCode() {
        int valid = 0;
        for (int i = 0; i < 50; i++) {
            String one = "/" + i + "AaAaBBBB";
            String other = "/" + i + "BBBBAaAa";
            assertThat(one.hashCode()).isEqualTo(other.hashCode());
            Stored.put(store, one, 10, 100);
            store.invalidate(Stored.key(other).target(), 200);
            valid += Stored.uses(store, one) ? 1 : 0;
        }
        // The table of stamps has 4,096 slots, so that few targets share one by chance.
        assertThat(valid).isGreaterThan(45);
    }

    @Test
    void invalidatesWithClocksBelowZero() {
        Stored.put(store, "/a", 10, -500);
        assertThat(Stored.uses(store, "/a")).isTrue();
        store.invalidate(Stored.key("/a").target(), -400);
        assertThat(Stored.uses(store, "/a")).isFalse();
        Stored.put(store, "/a", 10, -300);
        assertThat(Stored.uses(store, "/a")).isTrue();
    }

    @Test
    void purgesWhatMatches() {
        Stored.put(store, "/a", 10, 1);
        Stored.put(store, "/b", 10, 1);
        assertThat(store.purge(each -> each.key.target().equals("h/a"))).isEqualTo(1);
        assertThat(Stored.uses(store, "/a")).isFalse();
        assertThat(Stored.uses(store, "/b")).isTrue();
    }

    @Test
    void storesNothingAfterItIsClosed() {
        store.close();
        assertThat(Stored.put(store, "/a", 10, 1)).isFalse();
    }

    // ---- threads

    /** A response that is stored during a purge is either found by it or removed at once. */
    @Test
    void storesNoResponseThatWasRequestedBeforeASimultaneousPurge() throws Exception {
        for (int round = 0; round < 300; round++) {
            ResponseStore one = Stored.store(ByteSize.ofMiB(1), ALL);
            StoredResponse response = Stored.response(one, "/a", Vary.NONE, Stored.bytes(10), 1);
            CyclicBarrier start = new CyclicBarrier(2);
            Thread writer = new Thread(() -> {
                try {
                    start.await();
                    one.put(response, EmptyHttpHeaders.INSTANCE, 1);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            writer.start();
            start.await();
            one.purge(each -> true, 2);
            writer.join();
            assertThat(one.entries()).isZero();
            assertThat(one.memory().used()).isZero();
        }
    }

    @Test
    void staysWithinItsNumberOfEntriesWithSeveralThreads() throws Exception {
        store.close();
        store = Stored.store(ByteSize.ofMiB(1), 50);
        AtomicLong most = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            String prefix = "/" + t + "-";
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 5_000; i++) {
                    Stored.put(store, prefix + i, 10, i + 1);
                    most.accumulateAndGet(store.entries(), Math::max);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(most.get()).isBetween(40L, 50L);
    }

    @Test
    void losesNoMemoryWithSeveralThreads() throws Exception {
        AtomicLong failures = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int seed = t;
            Thread thread = new Thread(() -> {
                SplittableRandom random = new SplittableRandom(seed);
                for (int i = 0; i < 5_000; i++) {
                    String path = "/" + random.nextInt(300);
                    if (random.nextInt(10) == 0) {
                        store.purge(each -> each.key.target().equals("h" + path));
                    } else if (!Stored.uses(store, path)) {
                        Stored.put(store, path, 1 + random.nextInt(20_000), i + 1);
                    }
                }
            });
            thread.setUncaughtExceptionHandler((which, failure) -> failures.incrementAndGet());
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).hasValue(0);
        assertThat(store.memory().used()).isLessThanOrEqualTo(1 << 20);
    }
}
