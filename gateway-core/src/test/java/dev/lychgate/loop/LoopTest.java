package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LoopTest {
    @Test
    void sweepsByItsOwnClockAndNoOther() {
        EmbeddedChannel thread = new EmbeddedChannel();
        try {
            // Its clock stands still, independent of the machine's.
            Loop loop = new VirtualLoop(thread.eventLoop());
            List<String> told = new ArrayList<>();
            long before = loop.deadlines().now();
            loop.deadlines()
                    .arm(
                            new Deadline() {
                                @Override
                                protected void onDeadline() {
                                    told.add("told");
                                }
                            },
                            DeadlineWheel.TICK);
            loop.sweep();
            assertThat(told).isEmpty();
            assertThat(loop.deadlines().now()).isEqualTo(before);
        } finally {
            thread.finishAndReleaseAll();
        }
    }

    @Nested
    class TimeOfTheTurn {
        private final EmbeddedChannel thread = new EmbeddedChannel();

        @AfterEach
        void close() {
            thread.finishAndReleaseAll();
        }

        @Test
        void isReadOnceBetweenTwoPolls() {
            Turn turn = new Turn(2);
            VirtualLoop loop = new VirtualLoop(thread.eventLoop(), turn);
            turn.poll();
            long first = loop.turnTime();
            loop.elapse(5);
            assertThat(loop.turnTime()).isEqualTo(first);
            turn.poll();
            assertThat(loop.turnTime()).isEqualTo(first + 5);
        }

        @Test
        void isReadAgainForRequestsThatStartAtTheEndOfTheTurn() {
            Turn turn = new Turn(1);
            VirtualLoop loop = new VirtualLoop(thread.eventLoop(), turn);
            turn.poll();
            long first = loop.turnTime();
            loop.elapse(5);
            List<Long> seen = new ArrayList<>();
            turn.later(() -> seen.add(loop.turnTime()));
            turn.end();
            assertThat(seen).containsExactly(first + 5);
        }

        @Test
        void followsTheReadingAfterAFilter() {
            VirtualLoop loop = new VirtualLoop(thread.eventLoop(), new Turn(2));
            long first = loop.turnTime();
            loop.elapse(5);
            assertThat(loop.nanoTime()).isEqualTo(first + 5);
            assertThat(loop.turnTime()).isEqualTo(first + 5);
        }

        @Test
        void isReadEachTimeIfTheLoopReportsNoTurns() {
            VirtualLoop loop = new VirtualLoop(thread.eventLoop(), Turn.unlimited());
            long first = loop.turnTime();
            loop.elapse(5);
            assertThat(loop.turnTime()).isEqualTo(first + 5);
        }
    }
}
