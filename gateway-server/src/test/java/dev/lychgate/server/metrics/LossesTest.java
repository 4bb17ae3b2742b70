package dev.lychgate.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.server.metrics.Losses.Kind;
import dev.lychgate.server.metrics.Losses.Loss;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LossesTest {
    private final AtomicLong dropped = new AtomicLong(5);
    private final Losses losses = new Losses();

    private Loss loss() {
        return losses.all().get(0);
    }

    @Test
    void countsLossesOfTheLastMinute() {
        losses.add(Kind.LOG, "access log", "lychgate_access_log_dropped_total", dropped::get);
        assertThat(loss()).isEqualTo(new Loss(Kind.LOG, "access log", 0, 5, "lychgate_access_log_dropped_total"));

        losses.sample();
        dropped.addAndGet(3);
        assertThat(loss().recent()).isEqualTo(3);
        for (long seconds = 0; seconds < 50; seconds += Losses.EVERY_SECONDS) {
            losses.sample();
            assertThat(loss().recent()).as("after " + seconds + " s").isEqualTo(3);
        }
        losses.sample();

        assertThat(loss().recent()).isZero();
        assertThat(loss().total()).isEqualTo(8);
    }
}
