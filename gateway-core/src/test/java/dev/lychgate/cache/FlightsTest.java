package dev.lychgate.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests that wait for the response to another one. */
class FlightsTest {
    private final Flights flights = new Flights();
    private final AtomicInteger woken = new AtomicInteger();

    @Test
    void givesTheSecondRequestTheFlightOfTheFirst() {
        Flights.Flight first = flights.flight("a");
        assertThat(flights.begin(first)).isSameAs(first);
        assertThat(flights.begin(flights.flight("a"))).isSameAs(first);
        Flights.Flight other = flights.flight("b");
        assertThat(flights.begin(other)).isSameAs(other);
    }

    @Test
    void wakesAllWaitingRequestsOnce() {
        Flights.Flight flight = flights.begin(flights.flight("a"));
        for (int i = 0; i < 1000; i++) {
            assertThat(flight.join(woken::incrementAndGet)).isTrue();
        }
        assertThat(flights.waiting()).isEqualTo(1000);
        flight.land();
        flight.land();
        assertThat(woken).hasValue(1000);
        assertThat(flights.waiting()).isZero();
    }

    @Test
    void admitsNoRequestAfterItsEnd() {
        Flights.Flight flight = flights.begin(flights.flight("a"));
        flight.land();
        assertThat(flight.join(woken::incrementAndGet)).isFalse();
        Flights.Flight next = flights.flight("a");
        assertThat(flights.begin(next)).isSameAs(next);
        assertThat(woken).hasValue(0);
    }

    @Test
    void remembersForTenSecondsThatAResponseCouldNotBeStored() {
        assertThat(flights.isUncacheable("a", 100)).isFalse();
        flights.uncacheable("a", 100);
        assertThat(flights.isUncacheable("a", 109)).isTrue();
        assertThat(flights.isUncacheable("a", 110)).isFalse();
        assertThat(flights.isUncacheable("b", 109)).isFalse();
    }
}
