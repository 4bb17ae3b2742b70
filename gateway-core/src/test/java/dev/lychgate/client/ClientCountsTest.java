package dev.lychgate.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientCountsTest {
    private final LongAdder crowded = new LongAdder();

    private static long hash(long client) {
        return new SplittableRandom(client).nextLong();
    }

    @Test
    void aClientHasAtMostTheLimitUntilItLeaves() {
        ClientCounts counts = new ClientCounts(1024, crowded);
        int first = counts.enter(hash(1), 2);
        int second = counts.enter(hash(1), 2);
        assertThat(first).isNotNegative().isEqualTo(second);
        assertThat(counts.enter(hash(1), 2)).isEqualTo(-1);
        assertThat(counts.enter(hash(2), 2)).isNotNegative();
        assertThat(counts.clients()).isEqualTo(2);
        counts.leave(first);
        assertThat(counts.enter(hash(1), 2)).isNotNegative();
        assertThat(counts.enter(hash(1), 2)).isEqualTo(-1);
    }

    @Test
    void aPlaceWithoutCountsIsGivenToAnotherClient() {
        ClientCounts counts = new ClientCounts(16, crowded);
        for (int client = 0; client < 10_000; client++) {
            int place = counts.enter(hash(client), 1);
            assertThat(place).isNotNegative();
            counts.leave(place);
        }
        assertThat(crowded.sum()).isZero();
        assertThat(counts.clients()).isZero();
    }

    /** More clients than places: those beyond share a count, and nothing that is counted gets lost. */
    @Test
    void furtherClientsShareOneCount() {
        ClientCounts counts = new ClientCounts(16, crowded);
        List<Integer> places = new ArrayList<>();
        int refused = 0;
        for (int client = 0; client < 200; client++) {
            int place = counts.enter(hash(client), 3);
            if (place < 0) {
                refused++;
            } else {
                places.add(place);
            }
        }
        // 16 places, and 3 of the clients that share the count of each of two sets.
        assertThat(places).hasSize(16 + 2 * 3);
        assertThat(refused).isEqualTo(200 - 22);
        assertThat(crowded.sum()).isEqualTo(6);
        places.forEach(counts::leave);
        assertThat(counts.clients()).isZero();
    }

    @Test
    void agreesWithCountsInAMap() {
        SplittableRandom random = new SplittableRandom(7);
        ClientCounts counts = new ClientCounts(4096, crowded);
        Map<Integer, List<Integer>> expected = new HashMap<>();
        for (int i = 0; i < 100_000; i++) {
            int client = random.nextInt(300);
            List<Integer> open = expected.computeIfAbsent(client, c -> new ArrayList<>());
            if (random.nextInt(5) < 3) {
                int place = counts.enter(hash(client), 7);
                assertThat(place >= 0).isEqualTo(open.size() < 7);
                if (place >= 0) {
                    open.add(place);
                }
            } else if (!open.isEmpty()) {
                counts.leave(open.remove(random.nextInt(open.size())));
            }
        }
        assertThat(crowded.sum()).isZero();
    }

    /** Threads enter and leave for the same clients: never more than the limit at the same time, and nothing is left in the end. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 40})
    void isExactOverThreads(int clients) throws Exception {
        int limit = 3;
        ClientCounts counts = new ClientCounts(64, crowded);
        AtomicInteger[] inside = new AtomicInteger[clients];
        for (int i = 0; i < clients; i++) {
            inside[i] = new AtomicInteger();
        }
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                SplittableRandom random = new SplittableRandom(thread);
                tasks.add(() -> {
                    int most = 0;
                    // While other threads pause inside, this one may be refused any number of times.
                    for (int entered = 0;
                            entered < 50_000 && !Thread.currentThread().isInterrupted(); ) {
                        int client = random.nextInt(clients);
                        int place = counts.enter(hash(client), limit);
                        if (place >= 0) {
                            entered++;
                            most = Math.max(most, inside[client].incrementAndGet());
                            inside[client].decrementAndGet();
                            counts.leave(place);
                        }
                    }
                    return most;
                });
            }
            for (Future<Integer> most : pool.invokeAll(tasks, 60, TimeUnit.SECONDS)) {
                assertThat(most.get()).isBetween(1, limit);
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(counts.clients()).isZero();
    }
}
