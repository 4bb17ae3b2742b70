package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnTest {
    private final Turn turn = new Turn(2);
    private final List<String> told = new ArrayList<>();

    /** As a request does it. */
    private void arrives(String name) {
        if (turn.begin()) {
            told.add(name);
        } else {
            turn.await(() -> told.add(name));
        }
    }

    @Test
    void soManyBeginAtOnceAndTheOthersWaitForTheNextTurn() {
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
    void nobodyOvertakesThoseWhoWait() {
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
    void whoBeginsMayWaitAgainAndIsNotToldTwiceInOneTurnOfItsOwn() {
        arrives("a");
        arrives("b");
        turn.await(() -> turn.await(() -> told.add("again")));
        turn.end();
        turn.end();
        assertThat(told)
                .as("begun a second time, in the second half of the turn")
                .containsExactly("a", "b", "again");
    }

    @Test
    void aFaultOfOneIsNotTheOthers() {
        arrives("a");
        arrives("b");
        turn.await(() -> {
            throw new IllegalStateException("a fault, told on purpose");
        });
        arrives("c");
        turn.end();
        turn.end();
        assertThat(told).containsExactly("a", "b", "c");
    }
}
