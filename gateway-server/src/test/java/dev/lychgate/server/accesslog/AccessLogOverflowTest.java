package dev.lychgate.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lychgate.config.AccessLogConfig;
import dev.lychgate.http.Redaction;
import dev.lychgate.testing.Gate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AccessLogOverflowTest {
    private static final int QUEUE = 64;

    private static AccessLogConfig config(int queue) {
        return new AccessLogConfig(AccessLogConfig.Format.JSON, null, queue);
    }

    private static final AccessRecord RECORD = Records.of(Records.get("/", null), 200, null);

    @Test
    void dropsAndCountsLinesOfAStalledWriterWithoutWaiting() throws Exception {
        Gate gate = new Gate();
        LinesInMemory sink = new LinesInMemory(gate);
        AccessLog log = AccessLog.open(config(QUEUE), new JsonLines(Redaction.USUAL), sink);
        log.offer(RECORD);
        sink.reached.await();

        // A call that waited for the writer would never return, because the gate is closed.
        for (int i = 0; i < 100_000; i++) {
            log.offer(RECORD);
        }
        assertThat(log.dropped()).isBetween(100_000L - 2 * QUEUE, 100_000L - QUEUE);
        assertThat(sink.lines).isEmpty();

        gate.open();
        log.close(Duration.ofSeconds(30));
        assertThat(log.written()).isEqualTo(sink.lines.size());
        assertThat(log.written() + log.dropped()).isEqualTo(100_001);
    }

    @Test
    void writesQueuedLinesWhenItIsClosed() {
        LinesInMemory sink = new LinesInMemory();
        AccessLog log = AccessLog.open(config(1024), new JsonLines(Redaction.USUAL), sink);
        for (int i = 0; i < 1000; i++) {
            log.offer(RECORD);
        }
        log.close();
        assertThat(sink.lines).hasSize(1000);
        assertThat(log.dropped()).isZero();
    }

    @Test
    void abandonsAWriterThatDoesNotEndAndCountsLostLines() throws Exception {
        Gate gate = new Gate();
        LinesInMemory sink = new LinesInMemory(gate);
        AccessLog log = AccessLog.open(config(QUEUE), new JsonLines(Redaction.USUAL), sink);
        for (int i = 0; i < 11; i++) {
            log.offer(RECORD);
        }
        sink.reached.await();
        log.close(Duration.ofMillis(50));
        assertThat(log.dropped())
                .describedAs("those in the writer's hands, too")
                .isEqualTo(11);
        gate.open();
    }

    @Test
    void countsLinesThatAreLostInTheWriterAsDropped() {
        LinesInMemory sink = new LinesInMemory() {
            @Override
            public void write(byte[] written) {
                throw new UncheckedIOException(new IOException("No space left on device"));
            }
        };
        AccessLog log = AccessLog.open(config(QUEUE), new JsonLines(Redaction.USUAL), sink);
        for (int i = 0; i < 23; i++) {
            log.offer(RECORD);
        }
        log.close();
        assertThat(log.written()).isZero();
        assertThat(log.dropped()).isEqualTo(23);
    }

    @Test
    void continuesAfterALineThatCanNotBeFormatted() {
        LinesInMemory sink = new LinesInMemory();
        int[] calls = {0};
        AccessLog log = AccessLog.open(
                config(QUEUE),
                (line, record) -> {
                    if (++calls[0] == 1) {
                        throw new IllegalStateException("on purpose");
                    }
                    line.append("fine");
                },
                sink);
        log.offer(RECORD);
        log.offer(RECORD);
        log.close();
        assertThat(sink.lines).containsExactly("fine");
        assertThat(log.dropped()).isEqualTo(1);
    }
}
