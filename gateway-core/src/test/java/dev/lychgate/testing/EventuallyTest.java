package dev.lychgate.testing;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventuallyTest {
    @Test
    void returnsOnceTheAssertionHolds() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        eventually(() -> assertThat(tries.incrementAndGet()).isEqualTo(3));
        assertThat(tries).hasValue(3);
    }

    @Test
    void throwsTheLastFailureWhenTimeIsUp() {
        assertThatThrownBy(() ->
                        eventually(Duration.ofMillis(5), () -> assertThat(1).isEqualTo(2)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("2");
    }
}
