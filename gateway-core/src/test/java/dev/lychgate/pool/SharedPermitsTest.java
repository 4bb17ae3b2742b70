package dev.lychgate.pool;

import static dev.lychgate.pool.PoolStage.limits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.pool.PoolStage.Asker;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One permit for the pools of three loops: no waiting request is forgotten, and none waits for an idle connection. */
class SharedPermitsTest {
    private static final PoolConfig ONE = limits(1, 8);

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final Executor loops = tasks::add;
    private final SharedPermits permits = new SharedPermits(1);
    private final PoolStage a = new PoolStage(ONE, permits.of(loops));
    private final PoolStage b = new PoolStage(ONE, permits.of(loops));
    private final PoolStage c = new PoolStage(ONE, permits.of(loops));

    @AfterEach
    void close() {
        a.close();
        b.close();
        c.close();
    }

    private void runLoops() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Test
    void anIdleConnectionIsClosedForAnotherLoop() {
        Asker first = a.ask();
        a.origins.accept();
        a.use(first.lease(), 0);
        Asker second = b.ask();
        assertThat(b.origins.connecting()).isZero();
        runLoops();
        assertThat(a.origins.open()).isZero();
        assertThat(a.pool.counters().closed()).containsEntry(CloseReason.CONTENDED, 1L);
        assertThat(b.origins.connecting()).isEqualTo(1);
        b.origins.accept();
        assertThat(second.hasLease()).isTrue();
    }

    @Test
    void aReleasedConnectionIsClosedForAnotherLoop() {
        Asker first = a.ask();
        a.origins.accept();
        b.ask();
        runLoops();
        assertThat(a.origins.open()).isEqualTo(1);
        a.use(first.lease(), 0);
        runLoops();
        assertThat(a.origins.open()).isZero();
        assertThat(b.origins.connecting()).isEqualTo(1);
    }

    @Test
    void aFreePermitReachesARequestThatStillNeedsIt() {
        Asker first = a.ask();
        a.origins.accept();
        b.ask().cancel();
        c.ask();
        runLoops();
        a.use(first.lease(), 0);
        runLoops();
        assertThat(b.origins.connecting()).isZero();
        assertThat(c.origins.connecting()).isEqualTo(1);
    }

    @Test
    void withoutWaitingRequestsConnectionsAreKept() {
        Asker first = a.ask();
        a.origins.accept();
        a.use(first.lease(), 0);
        runLoops();
        assertThat(a.ask().lease().isReused()).isTrue();
    }
}
