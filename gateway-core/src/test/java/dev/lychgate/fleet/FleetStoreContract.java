package dev.lychgate.fleet;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The behavior of every {@link FleetStore}. */
public abstract class FleetStoreContract {
    protected static final String SPACE = "prod";

    @TempDir
    protected Path home = Path.of("");

    private final List<FleetStore> opened = new ArrayList<>();

    /** Returns a further client of the same store. */
    protected abstract FleetStore connect() throws Exception;

    /** Returns a further client, which is closed after the test. */
    protected final FleetStore store() throws Exception {
        FleetStore store = connect();
        opened.add(store);
        return store;
    }

    @AfterEach
    final void closeStores() {
        opened.forEach(FleetStore::close);
    }

    /** Waits for the result of an operation. */
    public static <T> T get(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FleetException fleet) {
                throw fleet;
            }
            throw e;
        }
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the kind and the reason of the failure of an operation. */
    public static String refusal(ThrowingCallable call) {
        FleetException refused = catchThrowableOfType(FleetException.class, call);
        return refused == null ? "accepted" : refused.kind() + ": " + refused.reason();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void returnsTheArchiveThatAnotherClientPut() throws Exception {
        byte[] large = new byte[9 << 20];
        new Random(1).nextBytes(large);
        get(store().putArchive("a".repeat(64), large));
        get(store().putArchive("b".repeat(64), bytes("b")));

        assertThat(get(store().archive("a".repeat(64)))).isEqualTo(large);
        assertThat(get(store().archive("b".repeat(64)))).isEqualTo(bytes("b"));
    }

    @Test
    void reportsAMissingArchive() throws Exception {
        FleetStore store = store();
        assertThat(refusal(() -> get(store.archive("a".repeat(64)))))
                .isEqualTo("MISSING: the store has no release aaaaaaaaaaaa");
    }

    @Test
    void refusesNamesThatCouldLeadElsewhere() throws Exception {
        FleetStore store = store();
        assertThat(refusal(() -> get(store.putArchive("../x", bytes("x"))))).startsWith("REFUSED: a digest");
        assertThat(refusal(() -> get(store.archive("../x")))).startsWith("REFUSED: a digest");
        assertThat(refusal(() -> get(store.report("../x", bytes("x"))))).startsWith("REFUSED: the node");
    }

    @Test
    void putsAnArchiveTwice() throws Exception {
        get(store().putArchive("a".repeat(64), bytes("a")));
        get(store().putArchive("a".repeat(64), bytes("a")));
        assertThat(get(store().archive("a".repeat(64)))).isEqualTo(bytes("a"));
    }

    @Test
    void hasNoHeadBeforeTheFirstOne() throws Exception {
        assertThat(get(store().head())).isEmpty();
        assertThat(get(store().head(1))).isEmpty();
    }

    @Test
    void setsAHeadOnlyAfterTheExpectedOne() throws Exception {
        FleetStore store = store();
        assertThat(get(store.compareAndSetHead(1, bytes("early")))).isFalse();
        assertThat(get(store.compareAndSetHead(0, bytes("first")))).isTrue();
        assertThat(get(store.compareAndSetHead(0, bytes("second first")))).isFalse();
        assertThat(get(store.compareAndSetHead(1, bytes("second")))).isTrue();
        assertThat(get(store.compareAndSetHead(0, bytes("late")))).isFalse();

        FleetStore.StoredHead head = get(store().head()).orElseThrow();
        assertThat(head.epoch()).isEqualTo(2);
        assertThat(text(head.bytes())).isEqualTo("second");
        assertThat(text(get(store().head(1)).orElseThrow().bytes())).isEqualTo("first");
    }

    @Test
    void oneOfEightConcurrentWritersSetsTheHead() throws Exception {
        List<FleetStore> writers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            writers.add(store());
        }
        for (long epoch = 0; epoch < 50; epoch++) {
            CountDownLatch begin = new CountDownLatch(1);
            long expected = epoch;
            List<CompletableFuture<Boolean>> results = new ArrayList<>();
            for (int i = 0; i < writers.size(); i++) {
                FleetStore writer = writers.get(i);
                byte[] head = bytes("writer " + i + " epoch " + (epoch + 1));
                results.add(CompletableFuture.supplyAsync(
                                () -> {
                                    awaitUninterruptibly(begin);
                                    return writer.compareAndSetHead(expected, head);
                                },
                                task -> new Thread(task).start())
                        .thenCompose(result -> result));
            }
            begin.countDown();
            List<Integer> winners = new ArrayList<>();
            for (int i = 0; i < results.size(); i++) {
                if (get(results.get(i))) {
                    winners.add(i);
                }
            }
            assertThat(winners).as("winners of epoch %d", epoch + 1).hasSize(1);
            assertThat(text(get(writers.get(0).head()).orElseThrow().bytes()))
                    .isEqualTo("writer " + winners.get(0) + " epoch " + (epoch + 1));
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void reportsEachNewHeadToWatchesInOrder() throws Exception {
        FleetStore writer = store();
        get(writer.compareAndSetHead(0, bytes("1")));
        List<Long> seen = new CopyOnWriteArrayList<>();
        AutoCloseable watch = store().watchHead(listener(seen));
        eventually(() -> assertThat(seen).contains(1L));

        for (long epoch = 1; epoch < 20; epoch++) {
            get(writer.compareAndSetHead(epoch, bytes("head " + epoch)));
        }
        eventually(() -> assertThat(seen).contains(20L));

        assertThat(seen).isSorted();
        watch.close();
        get(writer.compareAndSetHead(20, bytes("21")));
        TimeUnit.MILLISECONDS.sleep(500);
        assertThat(seen).doesNotContain(21L);
    }

    private static FleetStore.HeadListener listener(List<Long> seen) {
        return new FleetStore.HeadListener() {
            @Override
            public void head(FleetStore.StoredHead head) {
                seen.add(head.epoch());
            }

            @Override
            public void unavailable(FleetException reason) {
                seen.add(-1L);
            }
        };
    }

    @Test
    void returnsTheLastReportOfEachNode() throws Exception {
        get(store().report("b", bytes("old")));
        get(store().report("b", bytes("b")));
        get(store().report("a", bytes("a")));

        List<FleetStore.StoredReport> reports = get(store().reports());
        assertThat(reports).extracting(FleetStore.StoredReport::node).containsExactly("a", "b");
        assertThat(reports).extracting(report -> text(report.bytes())).containsExactly("a", "b");
        assertThat(reports).allMatch(report -> report.age().compareTo(Duration.ofSeconds(20)) < 0);
    }

    @Test
    void returnsItsTime() throws Exception {
        assertThat(get(store().time())).isCloseTo(Instant.now(), within(10, ChronoUnit.SECONDS));
    }

    @Test
    void rejectsOperationsAfterItWasClosed() throws Exception {
        FleetStore store = store();
        store.close();
        assertThat(refusal(() -> get(store.head()))).startsWith("UNAVAILABLE: ");
    }
}
