package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.testing.Eventually;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SerialExecutorTest {
    private final LinkedBlockingQueue<Object> done = new LinkedBlockingQueue<>();
    private final SerialExecutor executor = new SerialExecutor("serial", task -> new Thread(task, "serial"), 20);

    @AfterEach
    void close() {
        executor.close();
    }

    private Object next() throws InterruptedException {
        Object next = done.poll(10, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    @Test
    void tasksRunOneAfterTheOtherInTheirOrder() throws Exception {
        for (int i = 0; i < 1000; i++) {
            int number = i;
            executor.execute(() -> done.add(number));
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(next()).isEqualTo(i);
        }
    }

    @Test
    void itsThreadIsThereOnlyWhileThereIsSomethingToDo() throws Exception {
        Set<Object> threads = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            executor.execute(() -> done.add(Thread.currentThread()));
            Thread thread = (Thread) next();
            assertThat(thread.getName()).isEqualTo("serial");
            assertThat(thread.isDaemon()).isTrue();
            thread.join(10_000);
            assertThat(thread.isAlive()).isFalse();
            threads.add(thread);
        }
        assertThat(threads).hasSize(3);
    }

    @Test
    void noTaskIsForgottenByAThreadThatIsAboutToEnd() throws Exception {
        SerialExecutor hasty = new SerialExecutor("hasty", Thread::new, 0);
        for (int i = 0; i < 2000; i++) {
            int number = i;
            hasty.execute(() -> done.add(number));
            assertThat(next()).isEqualTo(i);
        }
    }

    @Test
    void oneThreadRunsTasksOfManyCallers() throws Exception {
        ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();
        SerialExecutor patient = SerialExecutor.lasting("patient");
        List<Thread> givers = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(4000);
        for (int i = 0; i < 4; i++) {
            Thread giver = new Thread(() -> {
                for (int n = 0; n < 1000; n++) {
                    patient.execute(() -> {
                        threads.add(Thread.currentThread());
                        all.countDown();
                    });
                }
            });
            giver.start();
            givers.add(giver);
        }
        assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
        for (Thread giver : givers) {
            giver.join();
        }
        patient.close();
        assertThat(new HashSet<>(threads)).hasSize(1);
    }

    @Test
    void anExceptionOfATaskDoesNotAffectTheNext() throws Exception {
        CountDownLatch all = new CountDownLatch(1);
        executor.execute(() -> awaitUninterruptibly(all));
        executor.execute(() -> {
            throw new AssertionError("on purpose");
        });
        executor.execute(() -> PlatformDependent.throwException(new IOException("on purpose, and not declared")));
        executor.execute(() -> Thread.currentThread().interrupt());
        executor.execute(() -> done.add(Thread.currentThread().isInterrupted()));
        all.countDown();
        assertThat(next()).isEqualTo(false);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aTaskForWhichThereIsNoThreadIsRefusedAndTheNextOneTriesAgain() throws Exception {
        AtomicBoolean exhausted = new AtomicBoolean(true);
        SerialExecutor poor = new SerialExecutor(
                "poor",
                task -> {
                    if (exhausted.get()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return new Thread(task);
                },
                20);
        assertThatThrownBy(() -> poor.execute(() -> done.add("refused")))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("poor cannot be started")
                .hasCauseInstanceOf(OutOfMemoryError.class);
        exhausted.set(false);
        poor.execute(() -> done.add("next"));
        assertThat(next()).isEqualTo("next");
    }

    @Test
    void closingInterruptsTheRunningTaskAndDropsWaitingOnes() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        executor.execute(() -> {
            begun.countDown();
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                done.add(e);
            }
        });
        executor.execute(() -> done.add("waited in vain"));
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        executor.close();
        assertThat(next()).isInstanceOf(InterruptedException.class);
        assertThatThrownBy(() -> executor.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThat(done.poll(50, TimeUnit.MILLISECONDS)).isNull();
    }

    /** The guard of event loops, which applies to every test class, verifies that it acquires no lock. */
    @Test
    void anEventLoopMaySubmitTasks() throws Exception {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
        try {
            for (int i = 0; i < 200; i++) {
                int number = i;
                loops.next().execute(() -> executor.execute(() -> done.add(number)));
            }
            Eventually.eventually(() -> assertThat(done).hasSize(200));
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }
}
