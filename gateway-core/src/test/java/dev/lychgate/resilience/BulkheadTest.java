package dev.lychgate.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.BulkheadConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The maximum of concurrent exchanges. */
class BulkheadTest {
    private static int fill(Guard guard) {
        int n = 0;
        while (!Guard.isRefusal(guard.tryAcquire(0))) {
            n++;
        }
        return n;
    }

    @ParameterizedTest
    @CsvSource({"2000, 1, 2000", "2000, 4, 500", "10, 4, 3", "4, 4, 1"})
    void eachLoopHasItsPartRoundedUp(int concurrent, int loops, int part) {
        Bulkhead bulkhead = new Bulkhead(new BulkheadConfig(concurrent), loops);

        assertThat(fill(bulkhead.forLoop())).isEqualTo(part);
        assertThat(fill(bulkhead.forLoop())).isEqualTo(part);
    }

    @Test
    void aNumberSmallerThanTheLoopsIsShared() {
        Bulkhead bulkhead = new Bulkhead(new BulkheadConfig(3), 4);
        Guard one = bulkhead.forLoop();
        Guard other = bulkhead.forLoop();

        assertThat(fill(one)).isEqualTo(3);
        assertThat(fill(other)).isZero();
        one.release(0, Ending.FAILURE, 0, 0);
        assertThat(fill(other)).isOne();
    }

    @Test
    void aPermitIsReleasedRegardlessOfTheEnd() {
        Guard guard = new Bulkhead(new BulkheadConfig(1), 1).forLoop();
        for (Ending ending : Ending.values()) {
            assertThat(fill(guard)).isOne();
            guard.release(0, ending, 0, 0);
        }
    }

    @Test
    void refusedRequestsGetARetryAfterOfASecond() {
        Guard guard = new Bulkhead(new BulkheadConfig(1), 1).forLoop();
        guard.tryAcquire(0);

        assertThat(Guard.retryAfter(guard.tryAcquire(0))).isEqualTo(1_000_000_000L);
    }
}
