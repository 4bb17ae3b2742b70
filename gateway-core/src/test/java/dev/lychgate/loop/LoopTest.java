package dev.lychgate.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
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
}
