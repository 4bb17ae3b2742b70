package dev.lychgate.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.chain.FilterSlot;
import dev.lychgate.chain.LogMark;
import dev.lychgate.testing.TestFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TransferQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Threads for filters that block: two for each filter and four in all, where these are not virtual. */
class BlockingThreadsTest {
    /** The common pool has one thread where there are two processors, and one of two waits here. */
    private static final Executor ON_A_THREAD_OF_ITS_OWN = task -> new Thread(task).start();

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final FilterSlot stuck = TestFilter.slot("Stuck");
    private final FilterSlot other = TestFilter.slot("Other");
    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicBoolean spin = new AtomicBoolean(true);
    private final PlatformThreads platform = new PlatformThreads(4, 2);
    private final BlockingThreads threads = new BlockingThreads(platform);

    @AfterEach
    void close() {
        held.countDown();
        spin.set(false);
        threads.close();
    }

    /** A call that ends when {@link #held} is released, and not when it is interrupted. */
    private CompletableFuture<String> hold(FilterSlot slot) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<String> holder = threads.call(slot, mark("holder"), () -> {
            begun.countDown();
            while (held.getCount() > 0) {
                try {
                    held.await();
                } catch (InterruptedException e) {
                    // It is one that does not listen.
                }
            }
            return "held";
        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        return holder;
    }

    /**
     * Holds all threads that there are.
     *
     * @return for which filters
     */
    private List<FilterSlot> holdAll() throws InterruptedException {
        List<FilterSlot> slots = List.of(TestFilter.slot("A"), TestFilter.slot("B"));
        for (FilterSlot slot : slots) {
            hold(slot);
            hold(slot);
        }
        return slots;
    }

    private static void assertSoon(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + 30 * SECOND;
        // One success is enough: some conditions have side effects, and may be false at the next evaluation.
        boolean holds = condition.getAsBoolean();
        while (!holds && System.nanoTime() < end) {
            Thread.sleep(5);
            holds = condition.getAsBoolean();
        }
        assertThat(holds).isTrue();
    }

    /** Holds every lock of the queue until {@link #seen} is released. */
    private static final class SlowLook implements Runnable {
        private final CountDownLatch looking = new CountDownLatch(1);
        private final CountDownLatch seen = new CountDownLatch(1);

        @Override
        public void run() {}

        @Override
        public boolean equals(Object other) {
            looking.countDown();
            try {
                seen.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return false;
        }

        @Override
        public int hashCode() {
            return 0;
        }
    }

    @Test
    void dispatchesACallWithoutWaitingForTheLockOfTheQueue() throws Exception {
        holdAll();
        threads.call(other, mark("first in the queue"), () -> "");
        assertSoon(() -> !platform.pool.getQueue().isEmpty());
        SlowLook look = new SlowLook();
        CompletableFuture<Boolean> seen =
                CompletableFuture.supplyAsync(() -> platform.pool.getQueue().contains(look), ON_A_THREAD_OF_ITS_OWN);
        try {
            assertThat(look.looking.await(30, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<CompletableFuture<String>> handedOver = CompletableFuture.supplyAsync(
                    () -> threads.call(other, mark("late"), () -> "late"), ON_A_THREAD_OF_ITS_OWN);
            assertThat(handedOver).succeedsWithin(30, TimeUnit.SECONDS);
        } finally {
            look.seen.countDown();
        }
        assertThat(seen.get(30, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void threadsAreReused() throws Exception {
        TransferQueue<Runnable> queue = (TransferQueue<Runnable>) platform.pool.getQueue();
        for (int i = 0; i < 20; i++) {
            assertThat(threads.call(other, mark("one after the other"), () -> "answer"))
                    .succeedsWithin(30, TimeUnit.SECONDS)
                    .isEqualTo("answer");
            assertSoon(() -> threads.calls() == 0 && queue.hasWaitingConsumer());
        }
        assertThat(platform.pool.getLargestPoolSize()).isLessThanOrEqualTo(2);
    }

    @Test
    void aFilterWhoseCallsNeverReturnLeavesThreadsToTheOthers() throws Exception {
        List<CompletableFuture<String>> givenUp = new ArrayList<>(List.of(hold(stuck), hold(stuck)));
        for (int i = 0; i < 20; i++) {
            givenUp.add(threads.call(stuck, mark("waits"), () -> "never run"));
        }
        givenUp.forEach(call -> call.cancel(true));

        assertThat(threads.call(other, mark("other"), () -> "answer")).succeedsWithin(30, TimeUnit.SECONDS);
        assertThat(threads.call(
                        TestFilter.slot("Stuck"), mark("the same filter, in the next generation"), () -> "answer"))
                .succeedsWithin(30, TimeUnit.SECONDS);
        assertThat(stuck.calls().running()).isEqualTo(2);

        held.countDown();
        assertSoon(() -> threads.calls() == 0 && stuck.calls().running() == 0);
        assertThat(threads.call(stuck, mark("after that"), () -> "answer")).succeedsWithin(30, TimeUnit.SECONDS);
    }

    @Test
    void oneFilterCannotTakeEveryPlaceInTheQueue() throws Exception {
        hold(stuck);
        CompletableFuture<String> waits = hold(stuck);
        while (stuck.calls().enter(BlockingThreads.MOST_OF_A_FILTER)) {
            stuck.calls().leave();
            waits = threads.call(stuck, mark("waits"), () -> "never run");
            waits.cancel(true);
            waits.cancel(true);
        }
        assertThat(threads.calls())
                .as("abandoned calls keep their places until a thread has skipped them")
                .isEqualTo(BlockingThreads.MOST_OF_A_FILTER);
        assertThatThrownBy(() -> threads.call(stuck, mark("one too many"), () -> ""))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("2500 calls of this filter");
        assertThat(threads.calls()).isEqualTo(BlockingThreads.MOST_OF_A_FILTER);
        assertThat(threads.call(other, mark("other"), () -> "answer")).succeedsWithin(30, TimeUnit.SECONDS);

        held.countDown();
        assertSoon(() -> threads.calls() == 0);
        assertThat(threads.call(stuck, mark("after that"), () -> "answer")).succeedsWithin(30, TimeUnit.SECONDS);
    }

    @Test
    void limitsTheCallsOfAllFiltersTogether() throws Exception {
        List<FilterSlot> slots = new ArrayList<>(holdAll());
        slots.addAll(List.of(stuck, other));
        for (FilterSlot slot : slots) {
            while (slot.calls().enter(BlockingThreads.MOST_OF_A_FILTER)) {
                slot.calls().leave();
                threads.call(slot, mark("waits"), () -> "run in the end");
            }
        }
        assertThat(threads.calls()).isEqualTo(BlockingThreads.MOST);
        assertThatThrownBy(() -> threads.call(other, mark("one too many"), () -> ""))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("10000 calls");

        held.countDown();
        assertSoon(() -> threads.calls() == 0);
        assertThat(threads.call(other, mark("after that"), () -> "answer")).succeedsWithin(30, TimeUnit.SECONDS);
    }

    @Test
    void anAbandonedCallIsCountedUntilItReturns() throws Exception {
        CompletableFuture<String> call = hold(stuck);
        long before = System.nanoTime();
        call.cancel(true);
        threads.look(before);
        assertThat(stuck.stats().lingering()).as("within its grace").isZero();

        threads.look(System.nanoTime() + 2 * SECOND);
        threads.look(System.nanoTime() + 3 * SECOND);
        assertThat(stuck.stats().lingering()).isEqualTo(1);

        held.countDown();
        assertSoon(() -> threads.calls() == 0);
        threads.look(System.nanoTime() + 4 * SECOND);
        assertThat(stuck.stats().lingering()).isZero();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void callsThatComputeWithoutEndHoldVirtualThreadsAndNotTheCallsOfOthers() throws Exception {
        try (BlockingThreads virtual = new BlockingThreads(new VirtualThreads(new PlatformThreads(4, 2)))) {
            List<CompletableFuture<String>> spinning = new ArrayList<>();
            AtomicInteger begun = new AtomicInteger();
            for (int i = 0; i < 300; i++) {
                spinning.add(virtual.call(stuck, mark("spins"), () -> {
                    begun.incrementAndGet();
                    while (spin.get()) {
                        Thread.onSpinWait();
                    }
                    return "";
                }));
            }
            assertSoon(() -> stuck.calls().running() == 300);
            // A call that begins between two looks is progress.
            assertSoon(() -> begun.get() >= Runtime.getRuntime().availableProcessors());
            CompletableFuture<String> response = virtual.call(other, mark("other"), () -> "answer");
            virtual.look(0);
            assertThat(response).isNotDone();

            virtual.look(SECOND);
            assertThat(response).succeedsWithin(20, TimeUnit.SECONDS);
            assertSoon(() -> stuck.calls().running() <= Runtime.getRuntime().availableProcessors() + 2);

            spin.set(false);
            spinning.forEach(call -> assertThat(call).succeedsWithin(20, TimeUnit.SECONDS));
            assertSoon(() -> virtual.calls() == 0);
            // A virtual thread shows the progress of virtual threads; each evaluation starts another one.
            assertSoon(() -> {
                virtual.look(2 * SECOND);
                return !virtual.call(other, mark("afterwards"), BlockingThreadsTest::isOnThreadOfTheSystem)
                        .join();
            });
        }
    }

    private static boolean isOnThreadOfTheSystem() {
        return Thread.currentThread().getName().startsWith("lychgate-blocking");
    }

    private static LogMark mark(String requestId) {
        return new LogMark(requestId, null);
    }
}
