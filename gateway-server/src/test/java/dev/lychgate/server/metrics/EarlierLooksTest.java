package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.metrics.EarlierLooks.Look;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EarlierLooksTest {
    private final EarlierLooks<Integer> looks = new EarlierLooks<>();

    private static Look<Integer> at(int second) {
        return new Look<>(TimeUnit.SECONDS.toNanos(second), second);
    }

    @Test
    void hasNothingToCompareTheFirstPollWith() {
        assertThat(looks.latest()).isNull();
        assertThat(looks.add(at(0))).isNull();
        assertThat(looks.latest()).isZero();
    }

    @Test
    void comparesWithThePollOfTenSecondsBefore() {
        IntStream.rangeClosed(0, 14).forEach(second -> looks.add(at(second)));

        Look<Integer> before = looks.add(at(15));

        assertThat(before).isEqualTo(at(4));
        assertThat(at(15).secondsSince(at(4))).isEqualTo(11);
    }

    @Test
    void comparesWithALaterPollWhileThereIsNoneOfTenSecondsBefore() {
        looks.add(at(0));

        assertThat(looks.add(at(1))).isEqualTo(at(0));
        assertThat(looks.latest()).as("one a second later is not kept").isZero();
    }

    @Test
    void comparesWithNothingAfterAPause() {
        looks.add(at(0));

        assertThat(looks.add(at(21))).isNull();
    }
}
