package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnTest {
    private final Turn turn = new Turn(2);
    private final List<String> told = new ArrayList<>();

    private record Request(long since, Runnable begins) implements Turn.Waiting {
        @Override
        public void onTurn() {
            begins.run();
        }
    }

    /** Takes a place in a turn, as a request does. */
    private void arrives(String name) {
        arrives(name, 0);
    }

    private void arrives(String name, long at) {
        if (turn.begin()) {
            told.add(name);
        } else {
            waits(at, () -> told.add(name));
        }
    }

    private void waits(long since, Runnable begins) {
        turn.await(new Request(since, begins));
    }

    @Test
    void reportsTheWaitOfTheFirstRequest() {
        arrives("a", 10);
        arrives("b", 11);
        assertThat(turn.waited(50)).as("no request waits").isZero();
        arrives("c", 12);
        arrives("d", 20);
        assertThat(turn.waited(50)).isEqualTo(38);
        turn.end();
        turn.end();
        assertThat(turn.waited(60)).isZero();
    }

    @Test
    void startsALimitedNumberAndDelaysTheOthersToTheNextTurn() {
        arrives("a");
        arrives("b");
        arrives("c");
        assertThat(told).containsExactly("a", "b");
        assertThat(turn.isEmpty()).isFalse();
        turn.end();
        assertThat(told).as("the turn was used up").containsExactly("a", "b");
        turn.end();
        assertThat(told).containsExactly("a", "b", "c");
        assertThat(turn.isEmpty()).isTrue();
    }

    @Test
    void newRequestsDoNotOvertakeWaitingOnes() {
        arrives("a");
        arrives("b");
        arrives("c");
        turn.end();
        arrives("d");
        arrives("e");
        assertThat(told).containsExactly("a", "b");
        turn.end();
        assertThat(told).containsExactly("a", "b", "c", "d");
        turn.end();
        assertThat(told).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void aTurnThatWasNotUsedUpIsNotSavedForTheNext() {
        turn.end();
        turn.end();
        arrives("a");
        arrives("b");
        arrives("c");
        assertThat(told).containsExactly("a", "b");
    }

    @Test
    void aStartedRequestMayWaitAgainForTheNextTurn() {
        arrives("a");
        arrives("b");
        waits(0, () -> waits(0, () -> told.add("again")));
        turn.end();
        turn.end();
        assertThat(told)
                .as("begun a second time, in the second half of the turn")
                .containsExactly("a", "b", "again");
    }

    @Test
    void aFailureOfOneDoesNotAffectOthers() {
        arrives("a");
        arrives("b");
        waits(0, () -> {
            throw new IllegalStateException("a fault, told on purpose");
        });
        arrives("c");
        turn.end();
        turn.end();
        assertThat(told).containsExactly("a", "b", "c");
    }
}
