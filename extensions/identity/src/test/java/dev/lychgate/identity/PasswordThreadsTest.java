package dev.lychgate.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.testing.Eventually;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PasswordThreadsTest {
    private static final long LIMIT = 10;

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void runsAsManyTasksAtOnceAsThereAreThreads() throws Exception {
        try (PasswordThreads threads = new PasswordThreads(3, 10)) {
            CyclicBarrier together = new CyclicBarrier(4);
            for (int i = 0; i < 3; i++) {
                threads.execute(() -> {
                    try {
                        together.await(LIMIT, TimeUnit.SECONDS);
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
            }
            assertThat(together.await(LIMIT, TimeUnit.SECONDS))
                    .as("the arrival index")
                    .isNotNegative();
        }
    }

    @Test
    void rejectsTasksWhileTheQueueIsFull() {
        try (PasswordThreads threads = new PasswordThreads(1, 2)) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(3);
            threads.execute(() -> {
                begun.countDown();
                await(end);
                done.countDown();
            });
            await(begun);
            threads.execute(done::countDown);
            threads.execute(done::countDown);
            assertThatThrownBy(() -> threads.execute(done::countDown)).isInstanceOf(RejectedExecutionException.class);
            end.countDown();
            await(done);
        }
    }

    /** A flood of logins is refused early, however long the queue may be. */
    @Test
    void rejectsTasksThatWouldBeDoneAfterTheTimeoutOfTheirRequests() {
        AtomicLong now = new AtomicLong();
        try (PasswordThreads threads = new PasswordThreads(1, 1_000, now::get)) {
            CountDownLatch first = new CountDownLatch(1);
            threads.execute(() -> now.addAndGet(Duration.ofSeconds(1).toNanos()));
            threads.execute(first::countDown);
            await(first);

            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(4);
            threads.execute(() -> {
                begun.countDown();
                await(end);
            });
            await(begun);
            for (int i = 0; i < 4; i++) {
                threads.execute(done::countDown);
            }
            assertThatThrownBy(() -> threads.execute(done::countDown))
                    .as("five hashes of a second")
                    .isInstanceOf(RejectedExecutionException.class);
            end.countDown();
            await(done);
        }
    }

    @Test
    void acceptsATaskWhileNoOtherOneWaitsHoweverLongTasksTake() {
        AtomicLong now = new AtomicLong();
        try (PasswordThreads threads = new PasswordThreads(1, 10, now::get)) {
            for (int i = 0; i < 3; i++) {
                CountDownLatch done = new CountDownLatch(1);
                threads.execute(() -> {
                    now.addAndGet(Duration.ofSeconds(9).toNanos());
                    done.countDown();
                });
                await(done);
            }
            assertThat(now).hasValue(Duration.ofSeconds(27).toNanos());
        }
    }

    @Test
    void losesNoTaskWhenThreadsBecomeIdle() throws Exception {
        int tasks = 20_000;
        try (PasswordThreads threads = new PasswordThreads(2, tasks)) {
            AtomicInteger run = new AtomicInteger();
            for (int round = 0; round < tasks; round++) {
                CountDownLatch done = new CountDownLatch(1);
                threads.execute(() -> {
                    run.incrementAndGet();
                    done.countDown();
                });
                if (round % 2 == 0) {
                    await(done);
                }
            }
            CountDownLatch last = new CountDownLatch(1);
            threads.execute(last::countDown);
            await(last);
            Eventually.eventually(() -> assertThat(run).hasValue(tasks));
        }
    }

    @Test
    void rejectsTasksAfterItsEnd() {
        PasswordThreads threads = new PasswordThreads(1, 1);
        threads.close();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> threads.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        }
    }
}
