package dev.lychgate.cache;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests that wait for the response to another one. */
class FlightsTest {
    private final Flights flights = new Flights();
    private final AtomicInteger woken = new AtomicInteger();

    private Flights.Flight open() {
        return flights.begin(flights.flight("a"));
    }

    private Flights.Follower join(Flights.Flight flight) {
        return requireNonNull(flight.join(woken::incrementAndGet));
    }

    private List<Flights.Follower> join(Flights.Flight flight, int count) {
        List<Flights.Follower> followers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            followers.add(join(flight));
        }
        return followers;
    }

    @Test
    void givesTheSecondRequestTheFlightOfTheFirst() {
        Flights.Flight first = flights.flight("a");
        assertThat(flights.begin(first)).isSameAs(first);
        assertThat(flights.begin(flights.flight("a"))).isSameAs(first);
        Flights.Flight other = flights.flight("b");
        assertThat(flights.begin(other)).isSameAs(other);
    }

    @Test
    void wakesAllFollowersOnce() {
        Flights.Flight flight = open();
        List<Flights.Follower> followers = join(flight, 1000);
        assertThat(flights.waiting()).isEqualTo(1000);
        flight.land(Flights.Landing.STORED);
        flight.land(Flights.Landing.UNCACHEABLE);
        assertThat(woken).hasValue(1000);
        assertThat(flights.waiting()).isZero();
        assertThat(flight.landing()).isEqualTo(Flights.Landing.STORED);
        assertThat(followers).extracting(Flights.Follower::leave).containsOnly(Flights.Follower.State.LANDED);
    }

    @Test
    void admitsNoFollowerAfterTheEnd() {
        Flights.Flight flight = open();
        flight.land(Flights.Landing.STORED);
        assertThat(flight.join(woken::incrementAndGet)).isNull();
        Flights.Flight next = flights.flight("a");
        assertThat(flights.begin(next)).isSameAs(next);
        assertThat(woken).hasValue(0);
        assertThat(flights.waiting()).isZero();
    }

    @Test
    void letsTheFollowerThatHasWaitedLongestLeadAfterAFailure() {
        Flights.Flight flight = open();
        List<Flights.Follower> followers = join(flight, 3);
        flight.fail();
        assertThat(woken).hasValue(1);
        assertThat(flights.waiting()).isEqualTo(2);
        assertThat(open()).isSameAs(flight);
        assertThat(followers.get(0).leave()).isEqualTo(Flights.Follower.State.LEADS);
        flight.fail();
        assertThat(followers.get(1).leave()).isEqualTo(Flights.Follower.State.LEADS);
        flight.land(Flights.Landing.STORED);
        assertThat(followers.get(2).leave()).isEqualTo(Flights.Follower.State.LANDED);
        assertThat(woken).hasValue(3);
    }

    @Test
    void passesOverFollowersThatHaveLeft() {
        Flights.Flight flight = open();
        List<Flights.Follower> followers = join(flight, 3);
        assertThat(followers.get(0).leave()).isEqualTo(Flights.Follower.State.WAITING);
        assertThat(flights.waiting()).isEqualTo(2);
        flight.fail();
        assertThat(followers.get(1).leave()).isEqualTo(Flights.Follower.State.LEADS);
        assertThat(woken).hasValue(1);
    }

    @Test
    void endsAfterAFailureIfNoRequestFollows() {
        Flights.Flight flight = open();
        flight.fail();
        assertThat(flight.landing()).isEqualTo(Flights.Landing.FAILED);
        assertThat(open()).isNotSameAs(flight);
    }

    /** A leader that is too slow, such as one whose client does not read, must not delay all later requests. */
    @Test
    void continuesWithALeaderThatHasWaitedForTooLong() {
        Flights.Flight flight = open();
        Flights.Follower impatient = join(flight);
        Flights.Follower other = join(flight);
        assertThat(impatient.leave()).isEqualTo(Flights.Follower.State.WAITING);
        flight.lead();
        flight.fail();
        assertThat(woken).hasValue(0);
        flight.land(Flights.Landing.STORED);
        assertThat(other.leave()).isEqualTo(Flights.Follower.State.LANDED);
    }

    /** Otherwise, a client that resets many requests occupies the memory of all of them until the end of the flight. */
    @Test
    void forgetsFollowersThatHaveLeft() {
        Flights.Flight flight = open();
        for (int i = 0; i < 1000; i++) {
            join(flight).leave();
        }
        assertThat(flights.waiting()).isZero();
        flight.land(Flights.Landing.STORED);
        assertThat(woken).hasValue(0);
    }

    @Test
    void losesNoFollowerWithSeveralThreads() throws Exception {
        for (int round = 0; round < 200; round++) {
            Flights some = new Flights();
            AtomicInteger joined = new AtomicInteger();
            AtomicInteger awake = new AtomicInteger();
            Flights.Flight flight = some.begin(some.flight("a"));
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < 100; i++) {
                        if (flight.join(awake::incrementAndGet) != null) {
                            joined.incrementAndGet();
                        }
                    }
                });
                threads.add(thread);
                thread.start();
            }
            flight.fail();
            flight.land(Flights.Landing.UNCACHEABLE);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(awake).hasValue(joined.get());
            assertThat(some.waiting()).isZero();
        }
    }

    @Test
    void remembersForTenSecondsThatAResponseCouldNotBeStored() {
        assertThat(flights.isUncacheable("a", 100)).isFalse();
        flights.uncacheable("a", 100);
        assertThat(flights.isUncacheable("a", 109)).isTrue();
        assertThat(flights.isUncacheable("a", 110)).isFalse();
        assertThat(flights.isUncacheable("b", 109)).isFalse();
    }

    @Test
    void remembersNothingAboutAnotherKeyWithTheSameHashCode() {
        flights.uncacheable("AaAaBBBB", 100);
        assertThat("BBBBAaAa".hashCode()).isEqualTo("AaAaBBBB".hashCode());
        assertThat(flights.isUncacheable("BBBBAaAa", 101)).isFalse();
    }
}
