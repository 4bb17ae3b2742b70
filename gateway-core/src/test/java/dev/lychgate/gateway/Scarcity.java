package dev.lychgate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.loop.MemoryBudget;

/** Leaves only this number of bytes of the memory budget of the process, until it is closed. */
record Scarcity(long taken) implements AutoCloseable {
    static Scarcity leaving(long bytes) {
        long others = MemoryBudget.OF_PROCESS.left() - bytes;
        assertThat(MemoryBudget.OF_PROCESS.take(others)).isTrue();
        return new Scarcity(others);
    }

    @Override
    public void close() {
        MemoryBudget.OF_PROCESS.giveBack(taken);
    }
}
