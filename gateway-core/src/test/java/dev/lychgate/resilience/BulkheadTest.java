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

    private static int fill(Guard guard, double part) {
        LimitShare share = new LimitShare(part, part == 1);
        int n = 0;
        while (!Guard.isRefusal(guard.tryAcquire(0, share))) {
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

    @ParameterizedTest
    @CsvSource({"10, 1, 1, 10", "10, 1, 0.9, 9", "100, 1, 0.57, 57", "100, 4, 0.9, 22", "3, 1, 0.9, 2", "1, 1, 0.5, 1"})
    void aShareIsAPartOfTheLoopsPlacesRoundedDownAndAtLeastOne(int concurrent, int loops, double share, int part) {
        Guard guard = new Bulkhead(new BulkheadConfig(concurrent), loops).forLoop();

        assertThat(fill(guard, share)).isEqualTo(part);
        assertThat(fill(guard, share)).isZero();
    }

    @Test
    void theRestIsForRequestsWithALargerShare() {
        Guard guard = new Bulkhead(new BulkheadConfig(10), 1).forLoop();
        assertThat(fill(guard, 0.8)).isEqualTo(8);
        assertThat(fill(guard, 0.9)).isOne();
        assertThat(fill(guard, 1)).isOne();

        // Two places are free, which is what the smallest share must leave.
        guard.release(0, Ending.SUCCESS, 0, 0);
        guard.release(0, Ending.SUCCESS, 0, 0);
        assertThat(fill(guard, 0.8)).isZero();
        guard.release(0, Ending.SUCCESS, 0, 0);
        assertThat(fill(guard, 0.8)).isOne();
    }

    @Test
    void aShareOfASharedNumberCountsThePlacesOfAllLoops() {
        Bulkhead bulkhead = new Bulkhead(new BulkheadConfig(3), 4);
        Guard one = bulkhead.forLoop();
        Guard other = bulkhead.forLoop();

        assertThat(fill(one, 0.9)).isEqualTo(2);
        assertThat(fill(other, 0.9)).isZero();
        assertThat(fill(other, 1)).isOne();
    }

    @Test
    void refusedRequestsGetARetryAfterOfASecond() {
        Guard guard = new Bulkhead(new BulkheadConfig(1), 1).forLoop();
        guard.tryAcquire(0);

        assertThat(Guard.retryAfter(guard.tryAcquire(0))).isEqualTo(1_000_000_000L);
    }
}
