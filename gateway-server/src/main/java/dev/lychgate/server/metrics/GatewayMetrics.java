package dev.lychgate.server.metrics;

import dev.lychgate.exchange.Exchange;
import dev.lychgate.exchange.ExchangeObserver;
import dev.lychgate.gateway.Gateway;
import dev.lychgate.loop.Loop;
import dev.lychgate.pool.PoolCounters;
import dev.lychgate.server.push.HttpPush;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything the gateway counts, and the registry that shows it. Give it to a gateway as its observer, then
 * {@linkplain #bind bind} it to the gateway; any thread may ask for the {@linkplain #figures figures}.
 *
 * <p>Taking them, every event loop is asked for a copy of its cells, and none of them is waited for longer than two
 * seconds: a loop that does not answer is shown with what it said last, and counted in {@code lychgate_loops_silent}.
 * Whoever asks at the same time shares one round.
 */
public final class GatewayMetrics implements ExchangeObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayMetrics.class);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private final DurationBuckets buckets;
    private final MetricsThread thread = new MetricsThread();
    private final Rounds<Figures> rounds = new Rounds<>(thread, this::round);
    private final Rounds<Map<String, RouteCells>> routeRounds = new Rounds<>(thread, this::routeRound);
    private final List<LoopCells> loops = new CopyOnWriteArrayList<>();
    private final List<LoopProbe> probes = new CopyOnWriteArrayList<>();
    private final Map<LoopCells, Map<String, RouteCells>> lastCopies = new ConcurrentHashMap<>();
    private final Map<LoopProbe, LoopProbe.Findings> lastFindings = new ConcurrentHashMap<>();
    private final List<Object> foreignCounts = new CopyOnWriteArrayList<>();
    private final Losses losses = new Losses();
    private volatile Map<String, PoolCounters> lastPools = Map.of();
    private volatile @Nullable Gateway gateway;

    /**
     * Made for the first who asks: Micrometer and all meters are a good part of what a start would load, and the first clients
     * need none of it. What is to be shown waits until then. Both guarded by {@code waiting}; no event loop comes here.
     */
    private @Nullable Meters meters;

    private final List<Consumer<MeterRegistry>> waiting = new ArrayList<>();

    /** Creates metrics with the default buckets. */
    public GatewayMetrics() {
        this(DurationBuckets.DEFAULT);
    }

    /** @param buckets of the duration histograms of exchanges */
    public GatewayMetrics(DurationBuckets buckets) {
        this.buckets = buckets;
    }

    @Override
    public ExchangeObserver onLoop(Loop loop) {
        LoopCells cells = new LoopCells(loop, buckets);
        loops.add(cells);
        LoopProbe probe = new LoopProbe(loop);
        probes.add(probe);
        probe.start();
        return cells;
    }

    @Override
    public void onClosed(Exchange exchange) {
        throw new UnsupportedOperationException("ask for the observer of a loop");
    }

    /** Shows the listeners, pools, filters and generation of {@code running} too; call once. */
    public void bind(Gateway running) {
        gateway = running;
    }

    /**
     * Shows a count that somebody else keeps; it must only grow, and cost little to read. One that has the name of another
     * figure, and another type, is not shown: the log says so when the figures are first taken.
     *
     * @param labels names and values in turn
     */
    public void counter(String name, String description, LongSupplier count, String... labels) {
        // Micrometer itself refers to it weakly.
        foreignCounts.add(count);
        showIn(registry -> FunctionCounter.builder(name, count, LongSupplier::getAsLong)
                .description(description)
                .tags(labels)
                .register(registry));
    }

    /** As {@link #counter}, of a loss, which {@link #losses} has as well. @param of which log or receiver */
    public void loss(
            Losses.Kind kind, String of, String name, String description, LongSupplier count, String... labels) {
        counter(name, description, count, labels);
        losses.add(kind, of, name.replace('.', '_') + "_total", count);
    }

    /** What was lost lately. */
    public Losses losses() {
        return losses;
    }

    /** Shows a figure that somebody else keeps and that may go down, too; otherwise as {@link #counter}. */
    public void gauge(String name, String description, LongSupplier figure, String... labels) {
        foreignCounts.add(figure);
        showIn(registry -> Gauge.builder(name, figure, LongSupplier::getAsLong)
                .description(description)
                .tags(labels)
                .register(registry));
    }

    /** Shows how a push fares. @param receiver what it pushes to, in a word: {@code opentsdb} */
    public void push(String receiver, HttpPush push) {
        String[] label = {"receiver", receiver};
        counter("lychgate.push.delivered", "Items that the receiver has taken", push::deliveredItems, label);
        String dropped = "lychgate.push.dropped";
        loss(Losses.Kind.RECEIVER, receiver, dropped, "Items that will not arrive", push::droppedItems, label);
        String failed = "lychgate.push.failed.tries";
        String untaken = "Requests that the receiver has not taken";
        loss(Losses.Kind.RECEIVER, receiver, failed, untaken, push::failedTries, label);
        gauge("lychgate.push.waiting", "Items that are queued or under way", push::waitingItems, label);
    }

    /** For meters of the application's own. Not on an event loop: whoever is the first makes it, which takes some 100 ms. */
    public MeterRegistry registry() {
        return meters().registry;
    }

    private void showIn(Consumer<MeterRegistry> meter) {
        synchronized (waiting) {
            if (meters == null) {
                waiting.add(meter);
            } else {
                show(meter, meters.registry);
            }
        }
    }

    /** One that can't be shown, such as a second one of that name and another type, leaves all others as they are. */
    private static void show(Consumer<MeterRegistry> meter, MeterRegistry registry) {
        try {
            meter.accept(registry);
        } catch (RuntimeException e) {
            LOG.error("a figure can't be shown", e);
        }
    }

    private Meters meters() {
        synchronized (waiting) {
            if (meters == null) {
                Meters made = new Meters();
                waiting.forEach(meter -> show(meter, made.registry));
                waiting.clear();
                meters = made;
            }
            return meters;
        }
    }

    /**
     * Takes the figures, as they are after this call. Completes on the thread of the metrics, within seconds; fails after
     * {@link #close}.
     */
    public CompletableFuture<Figures> figures() {
        return rounds.next();
    }

    /**
     * Takes the figures and hands them to {@code taker} on the thread of the metrics, which must not wait there for
     * anything.
     *
     * @return completes when it has taken them
     */
    public CompletableFuture<Void> take(Consumer<Figures> taker) {
        return figures().thenAcceptAsync(taker, thread);
    }

    /** As {@link #take}, again and again until the result is cancelled. What goes wrong is said in the log. */
    public Future<?> every(Duration interval, Consumer<Figures> taker) {
        return thread.scheduleAtFixedRate(
                () -> take(taker).exceptionally(fault -> {
                    LOG.warn("metrics can't be shown: a fault of ours", fault);
                    return null;
                }),
                interval.toNanos(),
                interval.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    /**
     * Does {@code what} on the thread of the metrics, which must not wait there for anything.
     *
     * @return cancels it
     */
    public Future<?> later(Duration delay, Runnable what) {
        return thread.schedule(what, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Takes the figures and writes them down.
     *
     * @param renderer where to do the writing: some milliseconds of work, not for an event loop that serves traffic
     */
    public CompletableFuture<String> scrape(MetricsFormat format, ScheduledExecutorService renderer) {
        return figures().thenApplyAsync(figures -> figures.text(format), renderer);
    }

    /** The sums of what the loops have counted of exchanges, by route; as {@link #figures}, for a fraction of its price. */
    CompletableFuture<Map<String, RouteCells>> routes() {
        return routeRounds.next();
    }

    private CompletableFuture<Map<String, RouteCells>> routeRound() {
        Questions questions = new Questions(thread);
        askForCells(questions, new AtomicLong());
        return questions.settled(LONGEST_WAIT).thenApply(done -> LoopCells.sum(lastCopies.values()));
    }

    private void askForCells(Questions questions, AtomicLong silent) {
        for (LoopCells cells : loops) {
            questions.ask(cells::copy, copy -> lastCopies.put(cells, copy), () -> {
                silent.incrementAndGet();
                Map<String, RouteCells> rest = cells.rest();
                if (rest != null) {
                    lastCopies.put(cells, rest);
                }
            });
        }
    }

    private CompletableFuture<Figures> round() {
        Questions questions = new Questions(thread);
        AtomicLong silent = new AtomicLong();
        askForCells(questions, silent);
        for (LoopProbe probe : probes) {
            questions.ask(probe::findings, found -> lastFindings.put(probe, found), () -> {});
        }
        Gateway running = gateway;
        if (running != null) {
            questions.ask(running::poolCounters, counters -> lastPools = counters, () -> {});
        }
        return questions.settled(LONGEST_WAIT).thenApply(done -> {
            Map<String, RouteCells> cells = LoopCells.sum(lastCopies.values());
            return new Figures(
                    Instant.now(),
                    meters().show(cells, lastFindings.values(), silent.intValue(), lastPools, running),
                    cells);
        });
    }

    /** Stops; nobody is shown anything any more. What is counted goes on to be counted. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
