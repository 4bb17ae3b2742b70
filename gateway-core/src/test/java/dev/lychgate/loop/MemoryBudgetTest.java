package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private final MemoryBudget bodies = new MemoryBudget(100);

    @Test
    void grantsUpToItsLimitAndCountsNoRefusedMemory() {
        assertThat(bodies.take(60)).isTrue();
        assertThat(bodies.take(41)).isFalse();
        assertThat(bodies.left()).isEqualTo(40);
        assertThat(bodies.take(40)).isTrue();
        assertThat(bodies.take(1)).isFalse();
    }

    @Test
    void releasedMemoryMayBeAcquiredAgain() {
        assertThat(bodies.take(100)).isTrue();
        bodies.giveBack(30);
        assertThat(bodies.take(30)).isTrue();
        assertThat(bodies.left()).isZero();
    }
}
