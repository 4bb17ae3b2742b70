package dev.lychgate.server.recording;

import dev.lychgate.config.RecordConfig;
import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.exchange.state.ExchangeRecord;
import dev.lychgate.exchange.state.ExchangeTap;
import dev.lychgate.gateway.StartFailure;
import dev.lychgate.generation.Generation;
import dev.lychgate.http.RequestHead;
import dev.lychgate.loop.Loop;
import dev.lychgate.loop.MemoryBudget;
import dev.lychgate.route.Ingress;
import dev.lychgate.server.logwriter.LogQueue;
import dev.lychgate.server.logwriter.LogWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Records whole exchanges that rules select. For a matching exchange, the event loop only copies the heads and the
 * beginnings of the bodies; a separate thread redacts, compresses and writes the copies. Copies take memory from the
 * process-wide budget, but only while half of the budget is free. An exchange that gets no memory, or for which the
 * queue is full, is not recorded and counts as dropped.
 */
public final class FullRecorder implements ExchangeObserver, AutoCloseable {
    private static final int QUEUE = 4096;
    private static final Duration NAP = Duration.ofMillis(100);
    private static final Duration END = Duration.ofSeconds(8);

    private final List<RecordingRule> rules;
    private final int bodyLimit;
    private final MemoryBudget budget;
    private final LogQueue<RecordingOutput.Captured> queue = new LogQueue<>(QUEUE);
    private final RecordingOutput output;
    private final LogWriter<RecordingOutput.Captured> writer;
    private final LongAdder refused = new LongAdder();

    private FullRecorder(RecordConfig config, MemoryBudget budget) throws IOException {
        this.rules = config.rules().stream().map(RecordingRule::new).toList();
        this.bodyLimit = config.body().asInt();
        this.budget = budget;
        this.output = new RecordingOutput(config, budget);
        this.writer = new LogWriter<>("recording", queue, List.of(output), NAP);
    }

    /**
     * Opens the recording and starts the thread of the writer.
     *
     * @throws StartFailure if the file can't be written, another process writes it, or the key can't be read
     */
    public static FullRecorder start(RecordConfig config, MemoryBudget budget) {
        try {
            FullRecorder recorder = new FullRecorder(config, budget);
            recorder.writer.start();
            return recorder;
        } catch (IOException e) {
            throw new StartFailure("record: " + RecordingException.text(e), StartFailure.UNUSABLE_SETTINGS);
        }
    }

    /** Returns the number of exchanges written since startup. */
    public long recorded() {
        return output.written();
    }

    /**
     * Returns the number of selected exchanges that were not recorded, because no memory or no place in the queue was
     * available, or because the file could not be written.
     */
    public long dropped() {
        return refused.sum() + queue.dropped() + output.lost();
    }

    /**
     * Writes the queued exchanges and closes the recording within seconds. Exchanges that are still queued after this
     * time are dropped.
     */
    @Override
    public void close() {
        if (!writer.stop(END)) {
            queue.abandon();
        }
    }

    @Override
    public OfLoop onLoop(Loop loop) {
        return new OfLoop(loop.random());
    }

    /** @throws IllegalStateException always: only the observers of {@link #onLoop} receive events */
    @Override
    public void onClosed(Exchange exchange) {
        throw new IllegalStateException("the recorder captures per loop; use onLoop");
    }

    /** The observer of one event loop. Used only on that loop. */
    final class OfLoop implements ExchangeObserver, ExchangeTap.Source {
        private final SplittableRandom random;
        private final List<RecordingRule> matching = new ArrayList<>();
        private @Nullable Generation digested;
        private String digest = "";

        OfLoop(SplittableRandom random) {
            this.random = random;
        }

        @Override
        public ExchangeTap.Source taps() {
            return this;
        }

        @Override
        public ExchangeTap tap(ExchangeRecord exchange, Ingress client) {
            RequestHead head = exchange.requestHead();
            if (head == null) {
                return ExchangeTap.NONE;
            }
            boolean chosen = false;
            matching.clear();
            for (RecordingRule rule : rules) {
                if (rule.matches(head, client)) {
                    chosen |= rule.share() > 0 && random.nextDouble() < rule.share();
                    if (rule.awaitsEnd()) {
                        matching.add(rule);
                    }
                }
            }
            if (!chosen && matching.isEmpty()) {
                return ExchangeTap.NONE;
            }
            List<RecordingRule> conditions = chosen ? List.of() : List.copyOf(matching);
            return new ExchangeCapture(exchange, budget, budget.most() / 2, bodyLimit, conditions);
        }

        @Override
        public void onClosed(Exchange exchange) {
            if (!(exchange.record().tap() instanceof ExchangeCapture capture)) {
                return;
            }
            if (!capture.isWanted()) {
                capture.drop();
                return;
            }
            Recording recording =
                    capture.finish(exchange, digest(exchange.record().generation()));
            if (recording == null) {
                capture.drop();
                if (capture.isLost()) {
                    refused.increment();
                }
            } else if (!queue.offer(new RecordingOutput.Captured(recording, capture.held()))) {
                budget.giveBack(capture.held());
            }
        }

        private String digest(Generation generation) {
            if (generation != digested) {
                digested = generation;
                digest = FilterDigest.of(generation.filters().slots());
            }
            return digest;
        }
    }
}
