package dev.lychgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectMemoryTest {
    private String before;

    @BeforeEach
    void forget() {
        before = System.clearProperty(DirectMemory.PROPERTY);
    }

    @AfterEach
    void remember() {
        System.clearProperty(DirectMemory.PROPERTY);
        if (before != null) {
            System.setProperty(DirectMemory.PROPERTY, before);
        }
    }

    @Test
    void nettyMayHaveLessThanTheJvmWouldGiveIt() {
        DirectMemory.limit();
        long limit = Long.getLong(DirectMemory.PROPERTY);
        assertThat(limit).isPositive();
        assertThat(DirectMemory.below(1 << 20)).isEqualTo((1 << 20) - (1 << 16));
    }

    @Test
    void whatSomebodyHasSetStays() {
        System.setProperty(DirectMemory.PROPERTY, "12345678");
        DirectMemory.limit();
        assertThat(System.getProperty(DirectMemory.PROPERTY)).isEqualTo("12345678");
    }
}
