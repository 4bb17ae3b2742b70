package dev.lychgate.pool;

import static dev.lychgate.pool.PoolStage.LONG;
import static dev.lychgate.pool.PoolStage.limits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.config.PoolConfig;
import dev.lychgate.pool.PoolStage.Asker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The choice of a connection, the opening of new ones, the waiting time, and the closing of connections. */
class ConnectionPoolTest {
    private static long closed(PoolStage stage, CloseReason reason) {
        return stage.pool.counters().closed().getOrDefault(reason, 0L);
    }

    @Test
    void theConnectionUsedLastIsLeasedFirst() {
        try (PoolStage stage = new PoolStage(limits(8, 8))) {
            Asker first = stage.ask();
            Asker second = stage.ask();
            stage.origins.accept();
            stage.origins.accept();
            var older = first.lease().stream();
            var newer = second.lease().stream();
            stage.use(first.lease(), 0);
            stage.use(second.lease(), 1);
            assertThat(stage.ask().lease().stream()).isSameAs(newer);
            assertThat(stage.ask().lease().stream()).isSameAs(older);
            assertThat(stage.pool.counters().created()).isEqualTo(2);
            assertThat(stage.pool.counters().reused()).isEqualTo(2);
            assertThat(stage.pool.counters().busy()).isEqualTo(2);
        }
    }

    @Test
    void noMoreConnectsAreStartedThanAllowedAndTheQueueIsBounded() {
        try (PoolStage stage = new PoolStage(limits(2, 1))) {
            Asker first = stage.ask();
            stage.ask();
            Asker third = stage.ask();
            assertThat(stage.origins.connecting()).isEqualTo(2);
            assertThat(third.told()).isEmpty();
            Asker fourth = stage.ask();
            assertThat(fourth.told()).containsExactly("pool-exhausted");
            stage.origins.accept();
            stage.use(first.lease(), 0);
            assertThat(stage.pool.counters().connecting()).isEqualTo(1);
            assertThat(stage.ask().told()).isEmpty();
        }
    }

    @Test
    void theFirstFreeConnectionServesTheLongestWaitingRequest() {
        try (PoolStage stage = new PoolStage(limits(1, 8))) {
            Asker first = stage.ask();
            Asker second = stage.ask();
            Asker third = stage.ask();
            stage.origins.accept();
            stage.use(first.lease(), 0);
            assertThat(second.hasLease()).isTrue();
            assertThat(second.lease().isReused()).isTrue();
            assertThat(third.hasLease()).isFalse();
            stage.use(second.lease(), 0);
            assertThat(third.told()).containsExactly("lease");
        }
    }

    @Test
    void aConnectionThatIsNotReusableMakesRoomForAnother() {
        try (PoolStage stage = new PoolStage(limits(1, 8))) {
            Asker first = stage.ask();
            Asker second = stage.ask();
            stage.origins.accept();
            stage.send(first.lease());
            first.lease().giveBack();
            assertThat(stage.origins.open()).isZero();
            assertThat(closed(stage, CloseReason.NOT_REUSABLE)).isEqualTo(1);
            assertThat(stage.origins.connecting()).isEqualTo(1);
            stage.origins.accept();
            assertThat(second.lease().isReused()).isFalse();
        }
    }

    @Test
    void aFailedConnectFailsTheLongestWaitingRequestAndTriesTheNext() {
        try (PoolStage stage = new PoolStage(limits(1, 8))) {
            Asker first = stage.ask();
            Asker second = stage.ask();
            stage.origins.refuse();
            assertThat(first.told()).containsExactly("connect-refused");
            assertThat(second.told()).isEmpty();
            stage.origins.accept();
            assertThat(second.told()).containsExactly("lease");
            assertThat(stage.pool.counters().connectFailures()).isEqualTo(1);
        }
    }

    @Test
    void waitingTimesOutAndTheLateConnectionIsKept() {
        try (PoolStage stage = new PoolStage(limits(1, 8))) {
            Asker first = stage.ask();
            stage.pass(Duration.ofSeconds(11));
            assertThat(first.told()).containsExactly("acquire-timeout");
            stage.origins.accept();
            assertThat(first.told()).hasSize(1);
            assertThat(stage.pool.counters().idle()).isEqualTo(1);
            assertThat(stage.ask().hasLease()).isTrue();
        }
    }

    @Test
    void aCancelledRequestGetsNoResultAndFreesItsPlace() {
        try (PoolStage stage = new PoolStage(limits(1, 1))) {
            Asker first = stage.ask();
            Asker second = stage.ask();
            second.cancel();
            Asker third = stage.ask();
            stage.origins.accept();
            stage.use(first.lease(), 0);
            assertThat(second.told()).isEmpty();
            assertThat(third.told()).containsExactly("lease");
            stage.pass(Duration.ofSeconds(20));
            assertThat(second.told()).isEmpty();
        }
    }

    @Test
    void aRequestForAFreshConnectionGetsNoUsedOne() {
        try (PoolStage stage = new PoolStage(limits(1, 8))) {
            Asker first = stage.ask();
            stage.origins.accept();
            Asker fresh = stage.ask(true);
            Asker any = stage.ask();
            stage.use(first.lease(), 0);
            assertThat(any.hasLease()).isTrue();
            assertThat(fresh.told()).isEmpty();
            stage.use(any.lease(), 0);
            // Its permit is needed for a fresh one.
            assertThat(stage.origins.open()).isZero();
            assertThat(closed(stage, CloseReason.CONTENDED)).isEqualTo(1);
            stage.origins.accept();
            assertThat(fresh.lease().isReused()).isFalse();
        }
    }

    @Test
    void idleConnectionsAgeOutOldestFirst() {
        Duration idle = Duration.ofSeconds(4);
        try (PoolStage stage = new PoolStage(new PoolConfig(8, 8, idle, LONG, 0))) {
            Asker first = stage.ask();
            Asker second = stage.ask();
            stage.origins.accept();
            stage.origins.accept();
            stage.use(first.lease(), 0);
            stage.pass(Duration.ofSeconds(2));
            stage.use(second.lease(), 1);
            stage.pass(Duration.ofSeconds(3));
            assertThat(stage.pool.counters().idle()).isEqualTo(1);
            stage.pass(Duration.ofSeconds(2));
            assertThat(closed(stage, CloseReason.IDLE)).isEqualTo(2);
            assertThat(stage.origins.open()).isZero();
        }
    }

    @Test
    void aConnectionBeyondItsLifetimeIsNotLeasedAgain() {
        try (PoolStage stage = new PoolStage(new PoolConfig(8, 8, LONG, Duration.ofSeconds(30), 0))) {
            Asker first = stage.ask();
            stage.origins.accept();
            stage.use(first.lease(), 0);
            stage.pass(Duration.ofSeconds(31));
            assertThat(stage.ask().hasLease()).isFalse();
            assertThat(closed(stage, CloseReason.LIFETIME)).isEqualTo(1);
        }
    }

    @Test
    void anIdleConnectionThatTheOriginClosesMakesRoom() {
        try (PoolStage stage = new PoolStage(limits(1, 8))) {
            Asker first = stage.ask();
            stage.origins.accept();
            stage.use(first.lease(), 0);
            stage.origins.hangsUp();
            assertThat(stage.pool.counters().idle()).isZero();
            assertThat(closed(stage, CloseReason.ORIGIN_CLOSED)).isEqualTo(1);
            stage.ask();
            assertThat(stage.origins.connecting()).isEqualTo(1);
        }
    }

    @Test
    void aRetiredPoolServesButKeepsNothingUntilItIsRevived() {
        try (PoolStage stage = new PoolStage(limits(8, 8))) {
            Asker idle = stage.ask();
            Asker busy = stage.ask();
            stage.origins.accept();
            stage.origins.accept();
            stage.use(idle.lease(), 0);
            stage.pool.retire();
            assertThat(stage.origins.open()).isEqualTo(1);
            assertThat(stage.pool.isSpent()).isFalse();
            stage.use(busy.lease(), 1);
            assertThat(stage.pool.isSpent()).isTrue();
            stage.ask().cancel();
            stage.origins.accept();
            assertThat(stage.origins.open()).isZero();
            assertThat(closed(stage, CloseReason.RETIRED)).isEqualTo(3);
            stage.pool.revive();
            Asker again = stage.ask();
            stage.origins.accept();
            stage.use(again.lease(), 3);
            assertThat(stage.pool.counters().idle()).isEqualTo(1);
        }
    }

    @Test
    void aLeaseIsReleasedOnce() {
        try (PoolStage stage = new PoolStage(limits(1, 1))) {
            Asker first = stage.ask();
            stage.origins.accept();
            stage.use(first.lease(), 0);
            assertThatThrownBy(() -> first.lease().giveBack()).isInstanceOf(IllegalStateException.class);
        }
    }
}
