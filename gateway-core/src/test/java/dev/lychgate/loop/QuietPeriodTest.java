package dev.lychgate.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QuietPeriodTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** A time shortly before the overflow of {@code nanoTime}. */
    private static final long START = Long.MAX_VALUE - SECOND;

    private final QuietPeriod period = new QuietPeriod();

    @Test
    void reportsTheFirstEvent() {
        assertEquals("", period.tell(START));
    }

    @Test
    void suppressesFurtherEventsForTenSeconds() {
        period.tell(START);
        assertNull(period.tell(START));
        assertNull(period.tell(START + 10 * SECOND - 1));
    }

    @Test
    void reportsTheNextEventWithTheNumberOfSuppressedOnes() {
        period.tell(START);
        period.tell(START + SECOND);
        period.tell(START + 2 * SECOND);
        assertEquals("; suppressed similar lines: 2", period.tell(START + 10 * SECOND));
        assertNull(period.tell(START + 11 * SECOND));
    }

    @Test
    void reportedEventsAreNotCountedAgain() {
        period.tell(START);
        period.tell(START + SECOND);
        period.tell(START + 10 * SECOND);
        assertEquals("", period.tell(START + 20 * SECOND));
    }
}
