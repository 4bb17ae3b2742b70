package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The readiness of a gateway after refusals of memory. */
class RefusalsTest {
    private final Refusals refusals = new Refusals();

    private void refuse(long fromMs, long toMs) {
        for (long at = fromMs; at <= toMs; at += 500) {
            refusals.add(TimeUnit.MILLISECONDS.toNanos(at));
        }
    }

    private boolean lastingAt(long ms) {
        return refusals.areLasting(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    @Test
    void refusalsAreLastingAfterFiveSecondsWithoutAPause() {
        assertThat(lastingAt(0)).isFalse();
        refuse(1000, 5500);
        assertThat(lastingAt(5500)).isFalse();
        refuse(6000, 6000);
        assertThat(lastingAt(6000)).isTrue();
    }

    @Test
    void refusalsEndWithinASecond() {
        refuse(0, 20_000);
        assertThat(lastingAt(20_999)).isTrue();
        assertThat(lastingAt(21_000)).isFalse();
    }

    @Test
    void refusalsStartAnewAfterAPause() {
        refuse(0, 4500);
        refuse(5500, 10_000);
        assertThat(lastingAt(10_000)).isFalse();
        refuse(10_500, 10_500);
        assertThat(lastingAt(10_500)).isTrue();
    }
}
