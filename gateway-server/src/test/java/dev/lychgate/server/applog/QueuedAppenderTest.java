package dev.lychgate.server.applog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.lychgate.testing.Eventually;
import dev.lychgate.testing.Gate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Standard error that is not read, or fails. */
@Tag("slow")
class QueuedAppenderTest {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final Gate gate = new Gate();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private volatile boolean broken;
    private final LoggerContext context = new LoggerContext();
    private final QueuedAppender appender = OwnLogback.begin(context, "INFO", new Pipe());
    private final Logger logger = context.getLogger("a.B");

    private final class Pipe extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            reached.countDown();
            try {
                gate.await(LONGEST);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (broken) {
                throw new IOException("Broken pipe");
            }
            synchronized (written) {
                written.write(bytes, from, length);
            }
        }
    }

    @AfterEach
    void end() {
        gate.open();
        context.stop();
    }

    private List<String> lines() {
        synchronized (written) {
            return written.toString(UTF_8).lines().toList();
        }
    }

    @Test
    void aStoppedReaderBlocksNoThreadAndDroppedLinesAreCounted() throws Exception {
        logger.info("first");
        reached.await();
        int more = QueuedAppender.LINES + 1000;
        for (int i = 0; i < more; i++) {
            logger.info("line {}", i);
        }
        assertThat(appender.dropped()).isEqualTo(1000);
        gate.open();
        appender.flush();
        // A flush waits only briefly.
        Eventually.eventually(LONGEST, () -> assertThat(lines()).hasSize(1 + QueuedAppender.LINES));
        assertThat(lines().get(QueuedAppender.LINES)).endsWith("B - line " + (QueuedAppender.LINES - 1));
    }

    @Test
    void longLinesFillTheQueueByTheirBytes() throws Exception {
        logger.info("first");
        reached.await();
        String kibibyte = "x".repeat(1024);
        for (int i = 0; i < 2000; i++) {
            logger.info(kibibyte);
        }
        assertThat(appender.dropped()).isBetween(900L, 1100L);
        gate.open();
        appender.flush();
        int kept = 2001 - (int) appender.dropped();
        Eventually.eventually(LONGEST, () -> assertThat(lines()).hasSize(kept));
        logger.info("after");
        appender.flush();
        Eventually.eventually(
                LONGEST, () -> assertThat(lines()).last().asString().endsWith("B - after"));
    }

    @Test
    void linesLostByAFailingStreamAreCounted() throws Exception {
        gate.open();
        broken = true;
        logger.info("lost");
        appender.flush();
        Eventually.eventually(LONGEST, () -> assertThat(appender.dropped()).isEqualTo(1));
        broken = false;
        logger.info("written");
        appender.flush();
        Eventually.eventually(
                LONGEST, () -> assertThat(lines()).singleElement().asString().endsWith("B - written"));
    }

    @Test
    void waitingLinesAreWrittenAtTheEnd() throws Exception {
        logger.info("first");
        reached.await();
        logger.info("second");
        Thread stop = new Thread(context::stop);
        stop.start();
        gate.open();
        stop.join();
        assertThat(lines()).hasSize(2);
    }

    @Test
    void theEndWithoutAReaderIsBounded() throws Exception {
        logger.info("first");
        reached.await();
        logger.info("second");
        context.stop();
        assertThat(appender.isStarted()).isFalse();
        // The second line; the writer has the first one.
        assertThat(appender.dropped()).isEqualTo(1);
    }

    @Test
    void aLogOfManyThreadsIsComplete() throws Exception {
        gate.open();
        List<Thread> threads =
                List.of(new Thread(this::logThousand), new Thread(this::logThousand), new Thread(this::logThousand));
        threads.forEach(Thread::start);
        for (Thread each : threads) {
            each.join();
        }
        Eventually.eventually(LONGEST, () -> assertThat(lines()).hasSize(3000));
        assertThat(lines()).allMatch(line -> line.endsWith("INFO  B - a line"));
    }

    private void logThousand() {
        for (int i = 0; i < 1000; i++) {
            logger.info("a line");
        }
    }
}
