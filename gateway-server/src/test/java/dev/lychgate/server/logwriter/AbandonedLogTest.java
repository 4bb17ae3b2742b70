package dev.lychgate.server.logwriter;

import static dev.lychgate.testing.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.testing.Gate;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class AbandonedLogTest {
    @Test
    void discardsEveryItemThatIsNotWritten() throws Exception {
        Gate gate = new Gate();
        Queue<String> events = new ConcurrentLinkedQueue<>();
        LogQueue<String> queue = new LogQueue<>(16);
        LogWriter<String> writer =
                new LogWriter<>("test log", queue, List.of(new Output(gate, events)), Duration.ofMillis(1));
        queue.offer("a");
        queue.offer("b");
        writer.start();
        eventually(() -> assertThat(events).containsExactly("write a"));
        queue.offer("c");
        assertThat(writer.stop(Duration.ofMillis(10))).isFalse();
        queue.abandon();
        gate.open();
        eventually(() -> assertThat(events).containsExactly("write a", "discard b", "discard c", "close"));
        assertThat(queue.dropped()).isEqualTo(2);
    }

    private record Output(Gate gate, Queue<String> events) implements LogOutput<String> {
        @Override
        public void write(String item) {
            events.add("write " + item);
            try {
                gate.await(Duration.ofMinutes(1));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void discard(String item) {
            events.add("discard " + item);
        }

        @Override
        public void close() {
            events.add("close");
        }
    }
}
