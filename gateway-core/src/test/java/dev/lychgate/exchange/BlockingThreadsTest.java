package dev.lychgate.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pool of JVMs without virtual threads, here with one thread, which a call holds. */
class BlockingThreadsTest {
    /** The common pool has one thread where there are two processors, and one of two waits here. */
    private static final Executor ON_A_THREAD_OF_ITS_OWN = task -> new Thread(task).start();

    private final CountDownLatch held = new CountDownLatch(1);
    private final ThreadPoolExecutor pool = BlockingThreads.pool(1);
    private final BlockingThreads threads = new BlockingThreads(pool);

    @AfterEach
    void close() {
        held.countDown();
        threads.close();
    }

    private CompletableFuture<String> hold() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<String> holder = threads.call("holder", () -> {
            begun.countDown();
            held.await();
            return "held";
        });
        assertThat(begun.await(5, TimeUnit.SECONDS)).isTrue();
        return holder;
    }

    /** Holds every lock that the queue may have until {@link #seen} is let go. */
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
    void aCallIsHandedOverWithoutWaitingForWhoeverIsAtTheQueue() throws Exception {
        hold();
        threads.call("first in the queue", () -> "");
        SlowLook look = new SlowLook();
        CompletableFuture<Boolean> other =
                CompletableFuture.supplyAsync(() -> pool.getQueue().contains(look), ON_A_THREAD_OF_ITS_OWN);
        try {
            assertThat(look.looking.await(5, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<CompletableFuture<String>> handedOver =
                    CompletableFuture.supplyAsync(() -> threads.call("late", () -> "late"), ON_A_THREAD_OF_ITS_OWN);
            assertThat(handedOver).succeedsWithin(5, TimeUnit.SECONDS);
        } finally {
            look.seen.countDown();
        }
        assertThat(other.get(5, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void aCallThatIsGivenUpIsCountedUntilAThreadHasPassedIt() throws Exception {
        CompletableFuture<String> holder = hold();
        while (threads.calls() < BlockingThreads.MOST) {
            int before = threads.calls();
            CompletableFuture<String> waiting = threads.call("given up", () -> "never run");
            waiting.cancel(true);
            waiting.cancel(true);
            assertThat(threads.calls()).isEqualTo(before + 1);
        }
        assertThat(pool.getQueue()).hasSize(BlockingThreads.MOST - 1);
        assertThatThrownBy(() -> threads.call("one too many", () -> "")).isInstanceOf(RejectedExecutionException.class);
        assertThat(threads.calls()).isEqualTo(BlockingThreads.MOST);

        held.countDown();
        assertThat(holder).succeedsWithin(5, TimeUnit.SECONDS);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (threads.calls() > 0 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(threads.calls()).isZero();
        assertThat(threads.call("after that", () -> "taken")).succeedsWithin(5, TimeUnit.SECONDS);
    }
}
