package dev.lychgate.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectMemoryTest {
    private String before;

    @BeforeEach
    void forget() {
        before = System.clearProperty(DirectMemory.LIMIT);
    }

    @AfterEach
    void remember() {
        System.clearProperty(DirectMemory.LIMIT);
        if (before != null) {
            System.setProperty(DirectMemory.LIMIT, before);
        }
    }

    @Test
    void nettyHasLessThanTheDefaultOfTheJvm() {
        DirectMemory.prepare();
        long limit = Long.getLong(DirectMemory.LIMIT);
        assertThat(limit).isPositive();
        assertThat(DirectMemory.below(1 << 20)).isEqualTo((1 << 20) - (1 << 16));
    }

    @Test
    void anExplicitValueIsKept() {
        System.setProperty(DirectMemory.LIMIT, "12345678");
        DirectMemory.prepare();
        assertThat(System.getProperty(DirectMemory.LIMIT)).isEqualTo("12345678");
    }
}
