package dev.lychgate.generation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lychgate.filter.Filter;
import dev.lychgate.filter.FilterExchange;
import dev.lychgate.filter.FilterOutcome;
import dev.lychgate.filter.InboundFilter;
import dev.lychgate.filter.SyncFilter;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A filter that can't do its work is found out before it gets any. */
class SelfChecksTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(10);

    private interface Check {
        void run() throws Exception;
    }

    private record Checked(String name, Check check) implements InboundFilter, SyncFilter {
        @Override
        public FilterOutcome filter(FilterExchange exchange) {
            return exchange.proceed();
        }

        @Override
        public void selfCheck() throws Exception {
            check.run();
        }
    }

    @Test
    void namesAFilterThatReportsAFailure() {
        CountDownLatch asked = new CountDownLatch(1);
        Filter good = new Checked("good", asked::countDown);
        Filter bad = new Checked("bad", () -> {
            throw new IOException("no service");
        });
        assertThatThrownBy(() -> SelfChecks.run(List.of(good, bad), Duration.ofSeconds(10)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("filter bad failed")
                .hasMessageContaining("no service");
        assertThat(asked.getCount()).isZero();
    }

    @Test
    void abandonsAndInterruptsACheckThatNeverEnds() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Filter endless = new Checked("endless", () -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        assertThat(refusal(endless, SHORT))
                .isInstanceOf(SelfCheckException.class)
                .hasMessageContaining("filter endless did not finish")
                .cause()
                .as("has the line of the failure")
                .satisfies(cause -> assertThat(cause.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().startsWith(SelfChecksTest.class.getName())
                                && frame.getMethodName().contains("NeverEnds")));
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static IllegalArgumentException refusal(Filter endless, Duration limit) {
        try {
            SelfChecks.run(List.of(endless), limit);
        } catch (SelfCheckException e) {
            return e;
        } catch (IllegalArgumentException e) {
            // The refusal names no filter, because the thread of the check did not begin within the limit.
            return limit.compareTo(LONG) < 0 ? refusal(endless, limit.multipliedBy(5)) : e;
        }
        throw new AssertionError("the check has ended");
    }

    @Test
    void anErrorIsAFailureLikeAnother() {
        Filter broken = new Checked("broken", () -> {
            throw new StackOverflowError("on purpose");
        });
        assertThatThrownBy(() -> SelfChecks.run(List.of(broken), Duration.ofSeconds(10)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("filter broken failed");
    }
}
